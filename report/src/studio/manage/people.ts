/** Who annotates: invitations, new links, and the end of them. */

import { button, copy, given, h, options } from "../../dom";
import { number } from "../../numbers";
import { act, ask, sentenceOf } from "../api";
import { closeMenu, confirmed } from "../dialogs";
import type { View } from "../view";
import { type Known, type Me, type Person, ROLES } from "../wire";
import { table } from "./tables";

export class People implements View {
  readonly title = "People";
  private readonly list = h("div", { class: "people" });
  private readonly made = h("div", { class: "invitation", role: "status" });
  private readonly name = h("input", { type: "text", maxlength: 64, autocomplete: "off" });
  private readonly role = h("select", {}, ...options(ROLES.map((role) => [role, role])));
  private readonly waits = h("input", { type: "checkbox" });
  private readonly everything = h("input", { type: "checkbox", checked: true });
  readonly element = h(
    "section",
    {},
    h("h1", { id: "people-title" }, "People"),
    h(
      "p",
      { class: "note" },
      "Everyone gets a link of their own. It is shown once: copy it and send it to them.",
    ),
    h(
      "form",
      { class: "tools", submit: (event) => this.invite(event) },
      h("label", { class: "control" }, h("span", {}, "Name"), this.name),
      h("label", { class: "control" }, h("span", {}, "Role"), this.role),
      h("label", { class: "check" }, this.everything, " all documents are theirs"),
      h("button", { type: "submit", class: "main" }, "Invite"),
    ),
    this.made,
    this.list,
    h("h2", {}, "What annotators see of others"),
    h(
      "label",
      { class: "line" },
      this.waits,
      " Only what you release, or what is closed. Otherwise they can ask for it when they have finished.",
    ),
  );

  constructor(
    private readonly me: Person,
    project: Me["project"],
  ) {
    this.waits.checked = project.waits;
    this.waits.addEventListener("change", () => {
      project.waits = this.waits.checked;
      void this.doing(() => act({ kind: "waits", is_on: this.waits.checked }));
    });
  }

  opened(): void {
    this.name.focus();
    void this.load();
  }

  readonly again = () => void this.load();

  private async load(): Promise<void> {
    try {
      const people = await ask<Known[]>("/api/people");
      const rows = people.map((each) => [
        h("span", { class: each.is_hidden ? "gone" : null }, given(each.name)),
        each.id === this.me.id ? `${each.role} (you)` : this.roleOf(each),
        this.stateOf(each),
        each.id === this.me.id ? "" : this.actions(each),
      ]);
      this.list.replaceChildren(
        table("Everyone", ["name", "role", "state", "link and more"], rows),
      );
    } catch (problem) {
      this.made.textContent = sentenceOf(problem);
    }
  }

  private roleOf(person: Known): HTMLElement {
    const box = h("select", { "aria-label": `Role of ${person.name}` });
    box.append(...options(ROLES.map((role) => [role, role])));
    box.value = person.role;
    box.addEventListener(
      "change",
      () => void this.doing(() => act({ kind: "role", person: person.id, role: box.value })),
    );
    return box;
  }

  private stateOf(person: Known): string {
    const facts = [
      person.is_hidden ? "hidden" : person.is_revoked ? "link ended" : "",
      person.is_omitted && "left out of agreement",
      person.role === "annotator" && `${number(person.assigned, "document")}`,
    ];
    return facts.filter(Boolean).join(", ");
  }

  private actions(person: Known): HTMLElement {
    const { name, id } = person;
    const key = { person: id, pass: null };
    const choice = (text: string, does: () => Promise<void>) =>
      button(text, () => {
        closeMenu();
        void this.doing(does);
      });
    return h(
      "span",
      { class: "group" },
      button("New link…", () => void this.renew(person), { "aria-label": `New link for ${name}` }),
      h(
        "details",
        { class: "menu", name: "menu" },
        h("summary", { "aria-label": `More for ${name}` }, "⋯"),
        h(
          "div",
          { class: "choices" },
          choice(person.is_omitted ? "Count in agreement" : "Leave out of agreement", () =>
            act({ kind: person.is_omitted ? "count" : "omit", ...key }),
          ),
          !person.is_revoked && choice("End their link", () => this.revoke(person)),
          choice(person.is_hidden ? "Restore" : "Hide", () => this.hide(person)),
        ),
      ),
    );
  }

  private async hide(person: Known): Promise<void> {
    const { id, name, agreement, closed, is_hidden } = person;
    const text = `Agreement of ${number(agreement, "document")} and ${number(closed, "closed result")} rest on them. Closed results stay. Nothing is lost, and you can restore them.`;
    if (!is_hidden && !(await confirmed(`Hide ${name}?`, text, "Hide"))) return;
    await act({ kind: is_hidden ? "restore" : "hide", person: id, pass: null });
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

  private async renew({ id, name, is_revoked }: Person): Promise<void> {
    const text = "The old link and all open pages of theirs end. What they have done stays.";
    if (!is_revoked && !(await confirmed(`A new link for ${name}?`, text, "New link"))) return;
    await this.doing(async () => {
      const { token } = await ask<{ token: string }>(`/api/people/${id}`, "POST", {});
      this.show(name, token);
    });
  }

  private async revoke({ id, name }: Person): Promise<void> {
    const text = "Nothing more is taken from them. What they have done stays, and counts.";
    if (!(await confirmed(`End the link of ${name}?`, text, "End it"))) return;
    await ask(`/api/people/${id}`, "DELETE");
    this.made.textContent = `The link of ${name} has ended.`;
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
      h("p", {}, "The link of ", h("b", {}, given(name)), ":"),
      h("div", { class: "group" }, box, copier),
    );
    box.select();
  }
}
