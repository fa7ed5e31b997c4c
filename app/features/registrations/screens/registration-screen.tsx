import { useState } from 'react'
import { href, useRevalidator } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { useRegistrationSaving } from '../browser/use-registration-saving.ts'
import { RegistrationDetails } from '../components/registration-details.tsx'
import { RegistrationForm } from '../components/registration-form.tsx'
import { LEAVE_REGISTRATION, NEXT_LIST_IT, REGISTER_TITLE, REGISTERED_TEXT } from '../messages.ts'
import type { Prefill } from '../prefill-rules.ts'
import type { OwnStanding } from '../register-queries.server.ts'
import type { Registration } from '../schema.ts'

/**
 * The form that registers a business; once it is saved, the registration (Specification, section 2).
 * @param props.registration null before registering
 * @param props.version of the registration
 * @param props.prefill what the form of a new registration begins with
 * @param props.standing how it stands with the Australian Business Register
 * @param props.today the latest date of birth
 * @param props.hasListings whether the next step, to list something, is done
 */
export function RegistrationScreen({
  registration,
  version,
  prefill,
  standing,
  today,
  hasListings,
}: {
  registration: Registration | null
  version: string | null
  prefill: Prefill
  standing: OwnStanding | null
  today: LocalDate
  hasListings: boolean
}) {
  const [editing, setEditing] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const [isNew, setNew] = useState(false)

  useLeaveWarning(unsaved, LEAVE_REGISTRATION)

  const endEditing = () => {
    setUnsaved(false)
    setEditing(false)
  }
  const { pending, lastResult, newerVersion, submit, forgetRefusal } = useRegistrationSaving(
    registration !== null,
    (isChange) => {
      endEditing()
      setNew(!isChange)
    },
  )
  const cancel = () => {
    forgetRefusal()
    endEditing()
  }
  const { revalidate } = useRevalidator()
  const showSaved = async () => {
    await revalidate()
    cancel()
  }
  const showsForm = !registration || editing
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{REGISTER_TITLE}</h1>
      {registration ? null : (
        <>
          <p className="mt-4 text-quiet">
            Once your ABN is registered, your listings show ‘ABN registered’ and customers get proper
            receipts.
          </p>
          <HelpLink article="register-your-business">Who sees your details</HelpLink>
        </>
      )}
      {registration && isNew && !hasListings && !standing?.problem ? <NextStep /> : null}
      <div className="mt-8">
        {showsForm ? (
          <RegistrationForm
            key={registration ? 'change' : 'new'}
            present={registration}
            prefill={prefill}
            version={version}
            newerVersion={newerVersion}
            today={today}
            lastResult={lastResult}
            pending={pending}
            onTyped={() => setUnsaved(true)}
            onSubmit={(form, logo) => void submit(form, logo)}
            onShowSaved={() => void showSaved()}
            {...(registration ? { onCancel: cancel } : {})}
          />
        ) : (
          <RegistrationDetails
            registration={registration}
            standing={standing}
            onEdit={() => setEditing(true)}
          />
        )}
      </div>
    </div>
  )
}

/** The next step after registering: to list something. */
function NextStep() {
  return (
    <div className="mt-6">
      <Banner
        tone="glow"
        action={
          <ButtonLink size="small" to={href('/dashboard/list-business/new')}>
            {NEXT_LIST_IT}
          </ButtonLink>
        }
      >
        {REGISTERED_TEXT}
      </Banner>
    </div>
  )
}
