import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, FieldError } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { PREFERENCE_TEXTS } from '../messages.ts'
import { MAIL_PREFERENCES, type MailPreferences } from '../rules.ts'

/**
 * Which mails the account wants, the newsletter among them. Unticked boxes are not sent, so absent means off.
 * @param newsletter null while the e-mail is not confirmed: then the letter can't be chosen here
 */
export function MailForm({
  preferences,
  newsletter,
  brand,
  problem,
}: {
  preferences: MailPreferences
  newsletter: boolean | null
  brand: string
  /** Why the choice is not saved. */
  problem: string | null
}) {
  const navigation = useNavigation()
  return (
    <Form method="post" preventScrollReset className="grid gap-5">
      <input type="hidden" name="intent" value="mails" />
      {MAIL_PREFERENCES.map((preference) => (
        <CheckboxField
          key={preference}
          name={preference}
          defaultChecked={preferences[preference]}
          {...PREFERENCE_TEXTS[preference]}
        />
      ))}
      {newsletter === null ? (
        <p className="text-quiet text-sm">
          Confirm your e-mail under My Profile to choose the {brand} letter here, too.
        </p>
      ) : (
        <CheckboxField
          name="newsletter"
          defaultChecked={newsletter}
          label={`The ${brand} letter`}
          hint="Once a month: places, people and dates worth knowing."
        />
      )}
      <div role="alert">
        <FieldError id="mails-problem" message={problem ?? undefined} />
      </div>
      <Button
        type="submit"
        className="justify-self-start"
        pending={navigation.formData?.get('intent') === 'mails'}
        pendingText="Saving..."
      >
        Save
      </Button>
      <SendFailure />
    </Form>
  )
}
