// Passkeys. A button with data-passkey asks the site for a challenge and the browser for an answer to it, puts the
// answer into the hidden field before it, and sends its form. What it says, the page has written into its data.

const able = () => Boolean(globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON);

/** What the site asks; rejects with what it says if it does not. */
async function challenge({ form, dataset }) {
  const field = (name) => form.elements[name];
  const body = new URLSearchParams({ why: dataset.passkey, csrfmiddlewaretoken: field("csrfmiddlewaretoken").value });
  if (field("alone")?.checked) body.set("alone", "on");
  const answer = await fetch(dataset.at, { method: "POST", body, headers: { Accept: "application/json" } });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.detail);
  return found.publicKey;
}

function answerTo(asked, isNew) {
  if (isNew) return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) });
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
}

function tell(button, words) {
  const box = button.parentElement.querySelector("[role=alert]") ?? document.createElement("p");
  box.setAttribute("role", "alert");
  button.after(box);
  box.textContent = words;
}

function words({ dataset }, failed) {
  if (failed.code === DOMException.INVALID_STATE_ERR) return dataset.known;
  if (failed instanceof DOMException) return dataset.givenUp;
  return failed.constructor === Error ? failed.message : dataset.lost; // what the site says, or nothing that can be read
}

async function press(button) {
  const { form } = button, code = form.elements.code;
  if (code) code.required = false; // the passkey is there in its place
  if (!form.reportValidity()) return;
  button.disabled = true;
  try {
    const answer = await answerTo(await challenge(button), button.dataset.passkey === "add");
    button.previousElementSibling.value = JSON.stringify(answer.toJSON());
    form.submit();
  } catch (failed) {
    tell(button, words(button, failed));
    button.disabled = false;
    if (code) code.required = true;
  }
}

for (const button of document.querySelectorAll("[data-passkey]")) {
  button.hidden = false;
  button.addEventListener("click", () => (able() ? press(button) : tell(button, button.dataset.old)));
}
