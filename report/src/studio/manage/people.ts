/** Who annotates: invitations, new links, and the end of them. */

import { button, copy, given, h } from "../../dom";
import { ask, sentenceOf } from "../api";
import { confirmed } from "../dialogs";
import type { View } from "../view";
import type { Person } from "../wire";
import { table } from "./tables";

export class People implements View {
  readonly title = "People";
  private readonly list = h("div");
  private readonly made = h("div", { class: "invitation", role: "status" });
  private readonly name = h("input", { type: "text", maxlength: 64, autocomplete: "off" });
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
      h("button", { type: "submit", class: "main" }, "Invite"),
    ),
    this.made,
    this.list,
  );

  constructor(private readonly me: Person) {}

  opened(): void {
    this.name.focus();
    void this.load();
  }

  readonly again = () => void this.load();

  private async load(): Promise<void> {
    try {
      const people = await ask<Person[]>("/api/people");
      const rows = people.map((each) => [
        given(each.name),
        each.is_manager ? "manager" : each.is_revoked ? "link ended" : "annotator",
        each.id === this.me.id ? "you" : this.actions(each),
      ]);
      this.list.replaceChildren(table("Everyone", ["name", "role", "link"], rows));
    } catch (problem) {
      this.made.textContent = sentenceOf(problem);
    }
  }

  private actions(person: Person): HTMLElement {
    const { name } = person;
    return h(
      "span",
      { class: "group" },
      button("New link", () => void this.renew(person), { "aria-label": `New link for ${name}` }),
      !person.is_revoked &&
        button("Revoke", () => void this.revoke(person), { "aria-label": `Revoke ${name}` }),
    );
  }

  private async invite(event: Event): Promise<void> {
    event.preventDefault();
    await this.doing(async () => {
      const found = await ask<Person & { token: string }>("/api/people", "POST", {
        name: this.name.value,
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
    const text = "Their link and all open pages of theirs end. What they have done stays.";
    if (!(await confirmed(`Revoke the link of ${name}?`, text, "Revoke"))) return;
    await this.doing(async () => {
      await ask(`/api/people/${id}`, "DELETE");
      this.made.textContent = `The link of ${name} has ended.`;
    });
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
