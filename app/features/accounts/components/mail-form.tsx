import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, FieldError } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { PREFERENCE_TEXTS } from '../messages.ts'
import { MAIL_PREFERENCES, type MailPreferences } from '../rules.ts'

/**
 * The account's mail preferences, including the newsletter. Browsers don't send unticked boxes, so absent means off.
 * @param props.newsletter null while the email is unconfirmed: the newsletter can't be chosen yet
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
  /** Why the choice was not saved. */
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
          Confirm your email under My Profile to choose the {brand} newsletter here, too.
        </p>
      ) : (
        <CheckboxField
          name="newsletter"
          defaultChecked={newsletter}
          label={`The ${brand} newsletter`}
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
