BEGIN TRANSACTION;
CREATE TABLE documents (
	id INTEGER NOT NULL, 
	name VARCHAR(512) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	length INTEGER NOT NULL, 
	content TEXT NOT NULL, 
	"before" TEXT DEFAULT '{}' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "documents" VALUES(1,'talk','f41c9a9d2bfb882cba9e968dc68afac969fbd23888a97fc5282fd30f65608bde',12,'{"name": "talk", "shown": "so it rained a lot and then we went home to eat", "words": "so it rained a lot and then we went home to eat", "start": [], "end": [], "speakers": [], "turns": []}','{}');
INSERT INTO "documents" VALUES(2,'more','85968c2cdbd958730578102d3cbeb7d15199f3d307bc37deb64fa76aac276479',11,'{"name": "more", "shown": "well I do not know what to say about it now", "words": "well I do not know what to say about it now", "start": [], "end": [], "speakers": [], "turns": []}','{}');
CREATE TABLE events (
	number INTEGER NOT NULL, 
	person INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	sequence INTEGER NOT NULL, 
	document INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	gap INTEGER NOT NULL, 
	value TEXT, 
	PRIMARY KEY (number), 
	UNIQUE (client, sequence), 
	FOREIGN KEY(person) REFERENCES people (id), 
	FOREIGN KEY(document) REFERENCES documents (id)
);
INSERT INTO "events" VALUES(1,2,1700000007.0,'a',0,1,'set',2,'.');
INSERT INTO "events" VALUES(2,2,1700000007.0,'a',1,1,'set',4,'.');
INSERT INTO "events" VALUES(3,3,1700000014.0,'b',0,1,'set',2,'.');
INSERT INTO "events" VALUES(4,2,1700000021.0,'a',2,1,'state',0,'finished');
INSERT INTO "events" VALUES(5,2,1700000028.0,'a',3,1,'state',0,'open');
INSERT INTO "events" VALUES(6,2,1700000035.0,'a',4,1,'set',7,'.');
INSERT INTO "events" VALUES(7,3,1700000042.0,'b',1,1,'state',0,'finished');
INSERT INTO "events" VALUES(8,2,1700000049.0,'a',5,1,'set',8,'.');
INSERT INTO "events" VALUES(9,2,1700000056.0,'a',6,1,'state',0,'finished');
INSERT INTO "events" VALUES(10,3,1700000063.0,'b',2,1,'state',0,'open');
INSERT INTO "events" VALUES(11,3,1700000063.0,'b',3,1,'set',9,'.');
INSERT INTO "events" VALUES(12,4,1700000070.0,'c',0,1,'state',0,'finished');
INSERT INTO "events" VALUES(13,4,1700000077.0,'c',1,1,'set',2,'.');
INSERT INTO "events" VALUES(14,4,1700000077.0,'c',2,1,'set',4,'.');
INSERT INTO "events" VALUES(15,1,1700000084.0,'m',0,1,'comment',3,'look here');
INSERT INTO "events" VALUES(16,1,1700000091.0,'m',1,1,'decide',4,'.');
INSERT INTO "events" VALUES(17,1,1700000091.0,'m',2,1,'decide',7,'skip');
INSERT INTO "events" VALUES(18,1,1700000091.0,'m',3,1,'decide',8,'discuss');
INSERT INTO "events" VALUES(19,4,1700000098.0,'c',3,2,'set',1,'.');
INSERT INTO "events" VALUES(20,4,1700000098.0,'c',4,2,'set',1,NULL);
INSERT INTO "events" VALUES(21,2,1700000105.0,'a2',0,2,'set',4,'.');
CREATE TABLE people (
	id INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	is_manager BOOLEAN NOT NULL, 
	invitation VARCHAR(64), 
	is_revoked BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	UNIQUE (invitation)
);
INSERT INTO "people" VALUES(1,'manager',1,'0829ff8d374ae070a0d7c729f9897f618b68ad6569957b2d549d63c7e25db98d',0);
INSERT INTO "people" VALUES(2,'Anna',0,'079266ab85dea2fa50e0320fe0dc5c0af3c285f367046b189af76f5a91547c4f',0);
INSERT INTO "people" VALUES(3,'Ben',0,'a71e15ddb94cd8d38b947e52d4c6bbc75c73427e3c08b3171769c135369e3dba',0);
INSERT INTO "people" VALUES(4,'Chloé',0,'1d57e464adb597f91291481b708bebc72d952f032d13e44e79f8a462902f3579',0);
CREATE TABLE sessions (
	token VARCHAR(64) NOT NULL, 
	person INTEGER NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (token), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE settings (
	name VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('version','1');
INSERT INTO "settings" VALUES('identity','ac15ffe96f039896');
CREATE INDEX events_of_a_document ON events (document, number);
COMMIT;
