/** Windows that ask something, over the page; each gives the focus back where it was. */

import { button, type Child, field, h } from "../dom";

/** Open a dialog; what its form has when one of the choices is made, undefined if none is. */
export function show(title: string, choices: HTMLElement[], ...content: Child[]) {
  const form = h("form", h("h2", title), ...content, h("div.choices", ...choices));
  const dialog = h("dialog", { "aria-label": title }, form);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
  return new Promise<FormData | undefined>((resolve) => {
    // The event `close` comes later than the next key: what it would do is done at once.
    const end = (sent?: FormData) => {
      dialog.close();
      dialog.remove();
      resolve(sent);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const sent = new FormData(form, event.submitter);
      end(sent.get("choice") ? sent : undefined);
    });
    dialog.addEventListener("cancel", (event) => {
      // The choice of a file can be cancelled, too.
      if (event.target !== dialog) return;
      event.preventDefault();
      end();
    });
    dialog.addEventListener("close", () => end());
  });
}

/** Further choices behind a button; one of them, Escape or a click elsewhere closes them. */
export function menu(label: string, choices: () => Child[]): HTMLElement {
  const list = h("div.menu", { popover: "auto" });
  const fill = () => {
    list.replaceChildren(h("div", ...choices()));
    const { top, bottom, right } = opener.getBoundingClientRect();
    const isLow = bottom > innerHeight / 2;
    list.style.top = isLow ? "auto" : `${bottom + scrollY}px`;
    list.style.bottom = isLow ? `${innerHeight - top - scrollY}px` : "auto";
    list.style.right = `${document.documentElement.clientWidth - right}px`;
  };
  const opener = button("⋯", fill, { class: "more", "aria-label": label });
  opener.popoverTargetElement = list;
  // Before what is chosen opens a dialog, which gives the focus back to where it was.
  list.addEventListener("click", () => list.hidePopover(), { capture: true });
  return h("span", opener, list);
}

/** A button that closes a dialog with a choice; "" is none. */
export function choice(text: string, value: string, isMain = false): HTMLButtonElement {
  const how = { type: "submit", name: "choice", value, formnovalidate: !value };
  return h("button", { ...how, class: isMain ? "main" : null, autofocus: isMain }, text);
}

/** Ask whether something is to be done; a text may stand for the paragraph with it. */
export function confirmed(title: string, about: string | Child[], does: string) {
  const content = typeof about === "string" ? [h("p", about)] : about;
  return show(title, [choice(does, "yes", true), choice("Cancel", "")], ...content);
}

/** A text that is asked for; undefined if it is not given. */
export async function asked(title: string, label: string, value: string, note: string) {
  const box = h("textarea", { rows: 4, maxlength: 2000, autofocus: true }, value);
  const main = choice("Save", "yes", true);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    main.click();
  });
  const choices = [main, choice("Cancel", "")];
  return (await show(title, choices, field(label, box), h("p.note", note))) && box.value;
}
