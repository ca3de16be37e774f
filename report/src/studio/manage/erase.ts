/** Deletion for good: of a document, or of a person who wants nothing of theirs to be kept. */

import { field, given, h } from "../../dom";
import { number } from "../../numbers";
import { ask } from "../api";
import { choice, show } from "../dialogs";
import type { Known, Managed } from "../wire";

/** Ask, and erase a document; what to tell of it. */
export function eraseDocument({ id, name, words, people, files, is_closed }: Managed) {
  const layers = `${number(people.length, "layer")}, and those of people who were withdrawn`;
  return erase(`/api/documents/${id}`, name, [
    `its text of ${number(words, "word")}`,
    `all boundaries and comments in it: ${layers}`,
    is_closed && "its closed result and the decisions",
    files.length > 0 && `from the project’s folder: ${files.join(", ")}`,
  ]);
}

/** Ask, and erase a person; what to tell of it. */
export function erasePerson({ id, name, assigned }: Known) {
  const layers = `${number(assigned, "layer")}, and those from which they were withdrawn`;
  const erased = ["their name and their link", `all their boundaries and comments: ${layers}`];
  const stays = "Closed results and decisions stay, without the name. ";
  return erase(`/api/people/${id}`, name, erased, stays);
}

/** Say what is erased, and erase it when the name has been typed. */
async function erase(path: string, name: string, erased: (string | false)[], stays = "") {
  const main = choice("Delete for good", "yes", true);
  main.disabled = true;
  const plain = (text: string) => text.trim().normalize();
  const box = h("input", { type: "text", autocomplete: "off", autofocus: true });
  box.addEventListener("input", () => (main.disabled = plain(box.value) !== plain(name)));
  const isMeant = await show(
    `Delete ${name}?`,
    [main, choice("Cancel", "")],
    h("p", "This erases:"),
    h("ul", ...erased.filter(Boolean).map((text) => h("li", text))),
    h("p", stays, "Exports and backups made before are not reached. This cannot be undone."),
    field(h("span", "To go on, type ", h("b", given(name))), box),
  );
  if (!isMeant) return "";
  await ask(path, "DELETE");
  return `${name} is deleted.`;
}
