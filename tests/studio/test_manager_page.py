"""The manager's screens: lists that change under their hands, assignments, settings, deletion."""

import re

import pytest

from caesura.studio.events import MANAGER
from support.studio_page import READY, TALE, press, saved, shows
from support.studio_projects import WORDS, assign

pytestmark = pytest.mark.slow
TEXTS = {"one": WORDS, "two": TALE, "three": "a b c d"}


def told(page, text):
    page.locator(".told", has_text=text).wait_for()


def files(texts):
    """Files as a browser sends them."""
    return [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": text.encode()}
        for name, text in texts.items()
    ]


def more(page, name, choice):
    """Choose from the menu of a document or a person."""
    page.get_by_label(f"More for {name}").click()
    page.locator(".menu").get_by_role("button", name=choice).click()


def annotators(page):
    """Who has the documents of a list, and how far they are."""
    return page.locator(".workers").all_inner_texts()


class TestLists:
    def test_an_open_menu_and_the_focus_survive_others_edits(self, serve):
        studio = serve(TEXTS)
        page, anna = studio.open(MANAGER), studio.open("Anna", "/document/2")
        page.get_by_label("More for two").click()
        press(anna, "ArrowRight", "Space")
        page.locator("#row-2 .how:has-text('%')").wait_for()
        first = page.get_by_role("button", name="Put first")
        assert first.is_visible()
        assert page.evaluate("document.activeElement.ariaLabel") == "More for two"
        first.click()
        page.locator("tbody tr:first-child#row-2").wait_for()

    def test_escape_and_a_click_elsewhere_close_a_menu(self, serve):
        page = serve(TEXTS).open(MANAGER)
        for close in (lambda: press(page, "Escape"), lambda: page.mouse.click(5, 700)):
            page.get_by_label("More for one").click()
            page.get_by_role("button", name="Put first").wait_for()
            close()
            page.get_by_role("button", name="Put first").wait_for(state="detached")

    def test_so_far_stays_open_and_cells_stay_the_same(self, serve):
        studio = serve(TEXTS)
        for who in ("Anna", "Ben"):
            studio.act(who, ("set", 3, "."), ("set", 6, "."))
        page = studio.open(MANAGER, "/agreement")
        page.locator("#so-far summary").click()
        page.locator("#so-far dd >> nth=0").wait_for()
        page.get_by_label("Progress").evaluate("each => { each.isOld = true }")
        press(studio.open("Anna", "/document/1"), "Control+Home", "Space")
        shows(page, "[aria-label=Progress] tr:has-text('Anna') td:nth-child(4)", "3")
        assert page.locator("#so-far").get_attribute("open") is not None
        assert page.get_by_label("Progress").evaluate("each => each.isOld")

    def test_a_half_typed_name_survives(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER, "/people")
        page.get_by_label("Name").fill("Chl")
        other = studio.open(MANAGER, "/people")
        other.get_by_label("Role of Ben").select_option("adjudicator")
        page.locator("#person-2", has_text="Ben").wait_for()
        shows(page, "[aria-label='Role of Ben'] option[selected]", "adjudicator")
        assert page.get_by_label("Name").input_value() == "Chl"
        assert page.evaluate("document.activeElement.value") == "Chl"


class TestAssignment:
    def test_k_of_n_counts_what_people_have_been_given(self, serve):
        """Two new documents a week, each to one of three people: two for each after three weeks."""
        studio = serve({}, ("Anna", "Ben", "Chloé"))
        page = studio.open(MANAGER)
        for week in range(3):
            new = {f"{week}{at}": f"w{week} x{at} y z" for at in "ab"}
            page.get_by_label("Add files…").set_input_files(files(new))
            told(page, "Added 2 documents.")
            page.locator(".tools").get_by_role("button", name="Assign…").click()
            page.get_by_text("2 of them are new: nobody has them yet.").wait_for()
            page.get_by_label("Each document to how many").fill("1")
            page.get_by_role("button", name="Assign", exact=True).click()
            told(page, "Assigned:")
        told(page, "Assigned: Anna none, Ben 1 document, Chloé 1 document.")
        queues = [studio.project.queue(studio.person(name).id) for name in ("Anna", "Ben", "Chloé")]
        assert [len(each) for each in queues] == [2, 2, 2]

    def test_what_changes_nothing_says_so(self, serve):
        page = serve(TEXTS).open(MANAGER)
        page.locator(".tools").get_by_role("button", name="Assign…").click()
        page.get_by_text("None of them is new").wait_for()
        page.get_by_text("no effect on people who have all documents: Anna, Ben.").wait_for()
        shows(page, ".checks label", "Anna 32 words, has all", "Ben 32 words, has all")
        page.get_by_label("Anna").check()
        page.get_by_role("button", name="Assign", exact=True).click()
        told(page, "Nothing has changed.")

    def test_people_are_withdrawn_from_all_that_is_shown(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER)
        page.get_by_label("Find a document").fill("t")
        page.locator(".tools").get_by_role("button", name="Assign…").click()
        page.get_by_label("Ben").check()
        page.get_by_role("button", name="Withdraw…").click()
        page.get_by_role("button", name="Withdraw", exact=True).click()
        told(page, "Withdrawn: Ben 2 documents.")
        page.get_by_label("Find a document").fill("")
        assert annotators(page) == ["Anna not begun\nBen not begun", *["Anna not begun"] * 2]

    def test_by_hand_for_one_document(self, serve):
        page = serve(TEXTS).open(MANAGER)
        more(page, "one", "Assign…")
        page.get_by_label("Ben").uncheck()
        page.get_by_role("button", name="Assign", exact=True).click()
        told(page, "Withdrawn: Ben 1 document.")
        more(page, "one", "Assign…")
        page.get_by_label("Ben").check()
        page.get_by_role("button", name="Assign", exact=True).click()
        told(page, "Assigned: Ben 1 document.")


class TestMarks:
    def test_they_come_and_go_in_pages_that_are_open(self, serve):
        studio = serve({"tale": TALE}, ("Anna", "Ben", "Chloé"))
        for who, mark in (("Anna", "."), ("Ben", "?")):
            studio.act(who, ("set", 3, mark), ("state", 0, "finished"))
        pages = [studio.open(who, "/document/1") for who in (MANAGER, "Chloé")]
        lead, marks = pages[0].locator(".lead"), ["‖", ".", "?", "!", ";"]
        for is_on, told in ((True, "1 in dispute"), (False, "annotators agree everywhere")):
            studio.manage({"kind": "marks", "is_on": is_on})
            for page in pages:
                shows(page, ".toolbar .mark", *(marks if is_on else marks[:1]))
            lead.filter(has_text=told).wait_for()


class TestDeletion:
    def test_a_document_is_deleted_when_its_name_is_typed(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER)
        more(page, "two", "Delete…")
        page.get_by_text(f"its text of {len(TALE.split())} words").wait_for()
        main = page.get_by_role("button", name="Delete for good")
        press(page, "t", "w", "Enter")
        assert main.is_disabled()
        press(page, "o", "Enter")
        told(page, "two is deleted.")
        shows(page, "tbody th", "one", "three")
        assert studio.project.named("two") is None

    def test_a_person_is_deleted_and_nobody_deletes_themselves(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER, "/people")
        assert page.get_by_label("More for manager").count() == 0
        more(page, "Ben", "Delete…")
        page.get_by_text("Closed results and decisions stay, without the name.").wait_for()
        page.get_by_label("To go on, type").fill("Ben")
        press(page, "Enter")
        page.get_by_text("Ben is deleted.").wait_for()
        shows(page, ".people tbody th", "Anna", "manager")
        studio.go(page, "/")
        assert annotators(page) == ["Anna not begun"] * 3


class TestProject:
    def test_settings_rename_order_and_marks(self, serve):
        studio = serve(TEXTS)
        anna, page = studio.open("Anna"), studio.open(MANAGER)
        page.get_by_role("button", name="Settings…").click()
        page.get_by_label("Name", exact=True).fill("Bridges")
        page.get_by_label("At random").check()
        page.get_by_label(re.compile("^Marks")).check()
        page.get_by_label("Sort the list").select_option("shortest first")
        page.get_by_role("button", name="Save").click()
        shows(page, "tbody th", "three", "one", "two")
        for each in (page, anna):
            shows(each, ".project", "Bridges")
            assert each.title() == "Documents – Bridges – caesura studio"
        board = studio.project.board
        assert (board.arrangement, board.has_marks) == ("random", True)

    def test_a_managers_own_link_is_made_again(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER, "/people")
        page.get_by_label("New link for you").click()
        page.get_by_role("button", name="New link", exact=True).click()
        studio.links["second"] = page.get_by_label("Link of manager").input_value()
        second = studio.open("second")
        second.wait_for_selector(READY[""])
        page.reload()
        page.wait_for_selector("#people-title")

    def test_a_folder_is_added_with_its_sound_and_guidelines(self, serve, tmp_path):
        studio = serve({"tale": WORDS})
        studio.is_disturbed = True  # the browser notes the answer 400
        studio.project.sounds = tmp_path / "sounds"
        folder = tmp_path / "talks"
        folder.mkdir()
        for name, data in {
            "b.txt": b"it rained", "a.txt": b"we left early", "empty.txt": b"", "a.mp3": b"ID3",
            ".hidden": b"x", "guidelines.md": b"# Units",
        }.items():  # fmt: skip
            (folder / name).write_bytes(data)
        page = studio.open(MANAGER)
        page.get_by_label("Add a folder…").set_input_files(folder)
        told(page, "Added 2 documents, 1 sound file, the guidelines.")
        shows(
            page, ".refused li", "empty.txt: No words; give a file with the words of a transcript."
        )
        assert studio.project.audio["a"].read_bytes() == b"ID3"

    def test_inviting_does_not_assign_everything(self, serve):
        studio = serve(TEXTS)
        page = studio.open(MANAGER, "/people")
        page.get_by_label("Name").fill("Dora")
        page.get_by_role("button", name="Invite").click()
        page.get_by_label("Link of Dora").wait_for()
        assert studio.project.queue(studio.person("Dora").id) == []

    def test_what_an_import_would_add_is_asked_for(self, serve):
        studio = serve({"tale": WORDS})
        studio.is_disturbed = True  # the browser notes the answer 409
        page = studio.open(MANAGER)
        page.get_by_role("button", name="Import layers…").click()
        text = WORDS.replace("a lot", "a lot\n")
        page.get_by_label("Files", exact=True).set_input_files(files({"Dorra": text}))
        page.get_by_role("button", name="Import", exact=True).click()
        page.get_by_text("This adds the person: Dorra.").wait_for()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_label("by").fill("Anna")
        page.get_by_role("button", name="Import", exact=True).click()
        told(page, "of Anna.")
        assert studio.project.person_named("Dorra") is None

    def test_the_export_is_downloaded(self, serve):
        page = serve(TEXTS).open(MANAGER)
        page.get_by_role("button", name="Export…").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename.endswith(".zip")

    def test_each_empty_screen_has_one_main_action(self, serve):
        studio = serve({}, ())
        page = studio.open(MANAGER, width=390)
        page.get_by_text("There are no documents yet.").wait_for()
        shows(page, ".main:visible", "Add files…")
        page.get_by_label("Add files…").set_input_files(files({"tale": "it rained"}))
        page.get_by_text("Nobody has a document yet.").wait_for()
        shows(page, ".main:visible", "Assign…")
        page.locator(".tools .main").click()
        page.get_by_role("button", name="Invite people").click()
        shows(page, ".main:visible", "Invite")


def test_messages_do_not_move_the_header_and_are_read_once(serve):
    studio = serve(TEXTS)
    studio.is_disturbed = True
    page = studio.open("Anna", "/document/1")
    places = """() => [...document.querySelectorAll(".top > :not(.saving, .notice)")]
        .map((each) => JSON.stringify(each.getBoundingClientRect()))"""
    before = page.evaluate(places)
    page.evaluate(
        """() => {
            window.read = [];
            new MutationObserver(() => read.push(document.querySelector(".notice").innerText))
                .observe(document.querySelector(".notice"), { childList: true, subtree: true });
        }"""
    )
    press(page, "Space")
    saved(page)
    page.context.set_offline(True)
    press(page, "ArrowRight", "Space", "ArrowRight", "Space")
    page.wait_for_selector(".saving:has-text('offline, 2 waiting')")
    page.get_by_text("Offline. Your changes are kept in this browser").wait_for()
    assert page.evaluate(places) == before
    page.context.set_offline(False)
    saved(page)
    page.locator(".notice", has_text="Everything is saved again.").wait_for(state="attached")
    assert len(page.evaluate("read")) == 2


def test_a_refused_act_is_shown_with_its_reason(serve):
    studio = serve(TEXTS)
    studio.is_disturbed = True
    page = studio.open("Anna", "/document/1")
    manager = studio.person(MANAGER)
    person = studio.person("Anna").id
    page.route("**/api/live", lambda route: route.abort())
    act = assign(person)
    studio.project.do(manager, act.of_project("withdraw", 1, **act.says))
    press(page, "Space")
    page.locator(".notice", has_text="1 change of yours refused. You are not assigned").wait_for()
