/** Who works on a project: invitations, roles, links, and the end of them. */

import { button, copy, field, given, h, options } from "../../dom";
import { number } from "../../numbers";
import { act, ask, sentenceOf } from "../api";
import { confirmed, menu } from "../dialogs";
import { update } from "../update";
import { paced, type View } from "../view";
import { type Known, type Person, ROLES } from "../wire";
import { erasePerson } from "./erase";
import { type Column, table } from "./tables";

export class People implements View {
  readonly title = "People";
  private people: Known[] = [];
  private readonly list = h("div.people");
  private readonly made = h("div.invitation", { role: "status" });
  private readonly name = h("input", { maxlength: 64, autocomplete: "off" });
  private readonly everything = h("input", { type: "checkbox" });
  private readonly role: HTMLSelectElement = h(
    "select",
    // Only annotators have documents.
    { change: () => (this.everything.disabled = this.role.value !== "annotator") },
    ...options(ROLES.map((role) => [role, role])),
  );
  readonly element = h(
    "section",
    h("h1", { id: "people-title" }, "People"),
    h(
      "p.note",
      "Everyone gets a link of their own. It is shown once: copy it and send it to them.",
    ),
    h(
      "form.tools",
      { submit: (event) => this.invite(event) },
      field("Name", this.name),
      field("Role", this.role),
      h("label.check", this.everything, " assign all documents"),
      h("button.main", { type: "submit" }, "Invite"),
    ),
    this.made,
    this.list,
  );
  readonly again = paced(() => this.doing(), 3000);
  readonly progress = this.again;

  constructor(private readonly me: Person) {}

  opened(): void {
    this.name.focus();
    this.again();
  }

  /** Do something, and show who is there then; what there is to say of it is told. */
  private async doing(act?: () => Promise<string | void>): Promise<void> {
    for (const each of [act, () => this.load()]) {
      const told = await each?.().catch(sentenceOf);
      if (told) this.made.textContent = told;
    }
  }

  private async load(): Promise<void> {
    this.people = await ask<Known[]>("/api/people");
    const columns: Column<Known>[] = [
      ["name", ({ name }) => given(name)],
      ["role", (each) => this.roleOf(each)],
      ["documents", (each) => h("span", stateOf(each))],
      ["link and more", (each) => this.actions(each)],
    ];
    update(this.list, [table("Everyone", this.people, columns, ({ id }) => `person-${id}`)]);
  }

  private roleOf({ id, name, role }: Known): HTMLElement {
    if (id === this.me.id) return h("span", `${role} (you)`);
    const change = async () => {
      await this.doing(() => act({ kind: "role", person: id, role: box.value }));
      // Who has another role by now has got another box.
      box.value = role;
    };
    const known = { id: `role-${id}`, "aria-label": `Role of ${name}` };
    const every = ROLES.map((value) => h("option", { value, selected: value === role }, value));
    const box = h("select", { ...known, change: () => void change() }, ...every);
    return box;
  }

  private actions({ id, name }: Known): HTMLElement {
    const isSelf = id === this.me.id;
    const link = this.does("New link…", id, (who) => this.renew(who));
    link.id = `link-${id}`;
    link.ariaLabel = `New link for ${isSelf ? "you" : name}`;
    const more = menu(`More for ${name}`, () => [
      !this.with(id)?.is_revoked && this.does("End the link…", id, (who) => this.revoke(who)),
      this.does("Delete…", id, erasePerson),
    ]);
    return h("span.group", link, !isSelf && more);
  }

  /** A button for what is done with a person as they are by then. */
  private does(text: string, id: number, act: (who: Known) => Promise<string | void>) {
    return button(text, () => {
      const who = this.with(id);
      if (who) void this.doing(() => act(who));
    });
  }

  private with(id: number): Known | undefined {
    return this.people.find((each) => each.id === id);
  }

  private async invite(event: Event): Promise<void> {
    event.preventDefault();
    await this.doing(async () => {
      const found = await ask<Person & { token: string }>("/api/people", "POST", {
        name: this.name.value,
        role: this.role.value,
        everything: this.everything.checked,
      });
      this.name.value = "";
      this.show(found.name, found.token);
    });
  }

  private async renew({ id, name, is_revoked }: Known): Promise<void> {
    const isSelf = id === this.me.id;
    const title = `A new link for ${isSelf ? "you" : name}?`;
    const text = isSelf
      ? "It opens the studio on another device, or here after you have signed out. Your old link ends; you stay signed in."
      : "The old link and all open pages of theirs end. What they have done stays.";
    if (!is_revoked && !(await confirmed(title, text, "New link"))) return;
    const { token } = await ask<{ token: string }>(`/api/people/${id}`, "POST", {});
    this.show(name, token);
  }

  private async revoke({ id, name }: Known): Promise<string> {
    const text = "Nothing more is taken from them. What they have done stays, and counts.";
    if (!(await confirmed(`End the link of ${name}?`, text, "End it"))) return "";
    await ask(`/api/people/${id}/end`, "POST", {});
    return `The link of ${name} has ended.`;
  }

  private show(name: string, token: string): void {
    const value = `${location.origin}/#${token}`;
    const box = h("input", { readonly: true, value, "aria-label": `Link of ${name}` });
    const copied = () => (copier.textContent = "Copied");
    const copier = button("Copy", () => void copy(value).then(copied));
    this.made.replaceChildren(
      h("p", "The link of ", h("b", given(name)), ":"),
      h("div.group", box, copier),
    );
    box.select();
  }
}

/** `4 documents, 3,400 words`. */
function stateOf({ role, is_revoked, assigned, words }: Known): string {
  const given = assigned ? `${number(assigned, "document")}, ${number(words, "word")}` : "none yet";
  const facts = [role === "annotator" && given, is_revoked && "link ended"];
  return facts.filter(Boolean).join(", ");
}
