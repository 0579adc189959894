// What opens over the page: dialogs, and the drawer beside the rows, in which one can read while labeling.

import { byId } from "./elements.js";

let returnTo = null; // what had the focus before the drawer opened

export function openDialog(id, openedBy) {
  const dialog = byId(id);
  dialog.dataset.openedBy = openedBy;
  if (!dialog.open) dialog.showModal();
}

export function wireDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      const isClose = event.target.closest("[data-closes]") !== null;
      if (isClose || event.target === dialog) dialog.close(); // beside its content
    });
  }
}

export function toggleDrawer() {
  if (byId("guide").hidden) openDrawer();
  else closeDrawer();
}

function openDrawer() {
  returnTo = document.activeElement;
  byId("guide").hidden = false;
  byId("guide-open").setAttribute("aria-expanded", "true");
  document.body.classList.add("beside-drawer");
  byId("guide-title").focus();
}

export function closeDrawer() {
  if (byId("guide").hidden) return;
  const hadFocus = byId("guide").contains(document.activeElement);
  byId("guide").hidden = true;
  byId("guide-open").setAttribute("aria-expanded", "false");
  document.body.classList.remove("beside-drawer");
  if (hadFocus && returnTo && returnTo.isConnected) returnTo.focus();
}
