/** Who works on a project: invitations, roles, links, and the end of them. */

import { button, copy, field, given, h, options } from "../../dom";
import { number } from "../../numbers";
import { act, ask, sentenceOf } from "../api";
import { confirmed, menu } from "../dialogs";
import { update } from "../update";
import { paced, type View } from "../view";
import { type Known, type Person, ROLES } from "../wire";
import { erasePerson } from "./erase";
import { table } from "./tables";

export class People implements View {
  readonly title = "People";
  private people: Known[] = [];
  private readonly list = h("div.people");
  private readonly made = h("div.invitation", { role: "status" });
  private readonly name = h("input", { type: "text", maxlength: 64, autocomplete: "off" });
  private readonly role = h("select", ...options(ROLES.map((role) => [role, role])));
  private readonly everything = h("input", { type: "checkbox" });
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
  readonly again = paced(() => this.load(), 3000);
  readonly progress = this.again;

  constructor(private readonly me: Person) {
    // Only annotators have documents.
    this.role.addEventListener("change", () => {
      this.everything.disabled = this.role.value !== "annotator";
    });
  }

  opened(): void {
    this.name.focus();
    this.again();
  }

  private async load(): Promise<void> {
    try {
      this.people = await ask<Known[]>("/api/people");
      const rows = this.people.map((each) => [
        given(each.name),
        each.id === this.me.id ? `${each.role} (you)` : this.roleOf(each),
        stateOf(each),
        this.actions(each),
      ]);
      const ids = this.people.map(({ id }) => `person-${id}`);
      const heads = ["name", "role", "documents", "link and more"];
      update(this.list, [table("Everyone", heads, rows, ids)]);
    } catch (problem) {
      this.made.textContent = sentenceOf(problem);
    }
  }

  private roleOf({ id, name, role }: Known): HTMLElement {
    const every = ROLES.map((value) => h("option", { value, selected: value === role }, value));
    const changed = () =>
      this.doing(async () => {
        await act({ kind: "role", person: id, role: box.value }).catch((problem: unknown) => {
          box.value = role;
          throw problem;
        });
      });
    const known = { id: `role-${id}`, "aria-label": `Role of ${name}` };
    const box = h("select", { ...known, change: () => void changed() }, ...every);
    return box;
  }

  private actions({ id, name }: Known): HTMLElement {
    const isSelf = id === this.me.id;
    const label = isSelf ? "New link for you" : `New link for ${name}`;
    const link = button("New link…", () => void this.doing(() => this.renew(id)), {
      id: `link-${id}`,
      "aria-label": label,
    });
    const more = menu(`More for ${name}`, () => [
      !this.with(id)?.is_revoked &&
        button("End the link…", () => void this.doing(() => this.revoke(id))),
      button("Delete…", () => void this.doing(() => this.erase(id))),
    ]);
    return h("span.group", link, isSelf ? null : more);
  }

  /** The person of a number as they are now, if they are there. */
  private with(id: number): Known | undefined {
    return this.people.find((each) => each.id === id);
  }

  private async invite(event: Event): Promise<void> {
    event.preventDefault();
    await this.doing(async () => {
      const found = await ask<Person & { token: string }>("/api/people", "POST", {
        name: this.name.value,
        role: this.role.value,
        everything: this.everything.checked && !this.everything.disabled,
      });
      this.name.value = "";
      this.show(found.name, found.token);
    });
  }

  private async renew(id: number): Promise<void> {
    const known = this.with(id);
    if (!known) return;
    const isSelf = id === this.me.id;
    const title = isSelf ? "A new link for you?" : `A new link for ${known.name}?`;
    const text = isSelf
      ? "It opens the studio on another device, or here after you have signed out. Your old link ends; you stay signed in."
      : "The old link and all open pages of theirs end. What they have done stays.";
    if (!known.is_revoked && !(await confirmed(title, text, "New link"))) return;
    const { token } = await ask<{ token: string }>(`/api/people/${id}`, "POST", {});
    this.show(known.name, token);
  }

  private async revoke(id: number): Promise<void> {
    const name = this.with(id)?.name ?? "";
    const text = "Nothing more is taken from them. What they have done stays, and counts.";
    if (!(await confirmed(`End the link of ${name}?`, text, "End it"))) return;
    await ask(`/api/people/${id}/end`, "POST", {});
    this.made.textContent = `The link of ${name} has ended.`;
  }

  private async erase(id: number): Promise<void> {
    const known = this.with(id);
    if (known && (await erasePerson(known))) this.made.textContent = `${known.name} is deleted.`;
  }

  private async doing(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (problem) {
      this.made.textContent = sentenceOf(problem);
    }
    await this.load();
  }

  private show(name: string, token: string): void {
    const link = `${location.origin}/#${token}`;
    const box = h("input", { type: "text", readonly: true, "aria-label": `Link of ${name}` });
    box.value = link;
    const copier = button("Copy", () => {
      void copy(link).then(() => (copier.textContent = "Copied"));
    });
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
