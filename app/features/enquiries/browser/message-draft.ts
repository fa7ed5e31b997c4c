import { formDraft } from '../../../ui/form-draft.ts'

/** The text of a message that isn't sent yet, with the key of its form: sending it twice is one message. */
export type MessageDraft = { body: string; submitKey: string }

/**
 * The store of one conversation's unsent message.
 * @param conversation its id, or the token of its link
 */
export function messageDraft(conversation: string) {
  return formDraft<MessageDraft>({
    key: `message:${conversation}`,
    parse: ({ body, submitKey }) => ({
      body: typeof body === 'string' ? body : '',
      submitKey: typeof submitKey === 'string' ? submitKey : '',
    }),
  })
}
