import type { FormDraft } from '../../../ui/form-draft.ts'

/**
 * Keeps a form's fields from the first that is typed on, together with those that follow from it, and once more when the
 * form or its page is left.
 * @param isRestored whether the form began with kept values
 * @returns ends it; call when the form is gone
 */
export function keepFields(
  form: HTMLFormElement,
  draft: FormDraft<Record<string, unknown>>,
  { isRestored }: { isRestored: boolean },
): () => void {
  let isOurs = isRestored
  let rendered: ReturnType<typeof setTimeout> | undefined
  const keep = () => draft.keep(Object.fromEntries(new FormData(form)))
  // Lines are added and removed by buttons. A sent quote's draft is forgotten and stays so, and a form without typed
  // values never takes the place of kept ones.
  const keepAgain = () => {
    if (isOurs && draft.read()) keep()
  }
  const onInput = () => {
    isOurs = true
    keep()
    // Fields that follow have their new values once React has rendered.
    clearTimeout(rendered)
    rendered = setTimeout(keepAgain)
  }
  form.addEventListener('input', onInput)
  window.addEventListener('pagehide', keepAgain)
  return () => {
    clearTimeout(rendered)
    keepAgain()
    window.removeEventListener('pagehide', keepAgain)
    form.removeEventListener('input', onInput)
  }
}
