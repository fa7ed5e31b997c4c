import type { ReactNode } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SECTIONS } from '../messages.ts'
import type { OwnStanding } from '../register-queries.server.ts'
import { groupAbnDigits } from '../rules.ts'
import type { Registration } from '../schema.ts'
import { RegisterLine } from './register-standing.tsx'

/** The saved registration, visible to its owner only. */
export function RegistrationDetails({
  registration,
  standing,
  onEdit,
}: {
  registration: Registration
  /** Null where it isn't known. */
  standing: OwnStanding | null
  onEdit: () => void
}) {
  return (
    <div className="grid gap-9">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        {registration.logoUrl ? (
          <img
            src={registration.logoUrl}
            alt="Your logo"
            className="size-20 rounded-card border border-line bg-surface object-contain"
          />
        ) : null}
        <div className="min-w-0 grow">
          <p className="font-display text-2xl leading-tight [overflow-wrap:anywhere]">
            {registration.businessName}
          </p>
          <p className="figures mt-1 text-quiet">ABN {groupAbnDigits(registration.abn)}</p>
        </div>
        <Button icon={<Icon name="pencil" />} onClick={onEdit}>
          Edit
        </Button>
      </div>
      {standing ? <RegisterLine standing={standing} /> : null}
      <Section title={SECTIONS.business}>
        <Fact term="Business structure">{registration.businessStructure}</Fact>
        <Fact term="ACN">{registration.acn}</Fact>
        <Fact term="Industry type">{registration.industryType}</Fact>
        <Fact term="GST registered">{registration.gstRegistered ? 'Yes' : 'No'}</Fact>
      </Section>
      <Section title={SECTIONS.address}>
        <Fact term="Principal address">{registration.principalAddress}</Fact>
        <Fact term="Postal address">{registration.postalAddress}</Fact>
      </Section>
      <Section title={SECTIONS.contact}>
        <Fact term="Business phone">{registration.businessPhone}</Fact>
        <Fact term="Business email">{registration.businessEmail}</Fact>
        <Fact term="Website">{registration.website}</Fact>
      </Section>
      <Section title={SECTIONS.owner}>
        <Fact term="Owner name">{registration.ownerName}</Fact>
        <Fact term="Date of birth">{formatDay(registration.ownerDob).replace(/^\S+ /, '')}</Fact>
        <Fact term="Owner phone">{registration.ownerPhone}</Fact>
        <Fact term="Owner email">{registration.ownerEmail}</Fact>
      </Section>
      {registration.businessDescription ? (
        <Section title={SECTIONS.optional}>
          <Fact term="Business description">{registration.businessDescription}</Fact>
        </Section>
      ) : null}
      <p className="text-sm text-quiet">
        Public: business name, ABN, website, logo and description. Everything else stays private.
      </p>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-6">
      <h2 className="text-lg">{title}</h2>
      <dl className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-2">{children}</dl>
    </section>
  )
}

function Fact({ term, children }: { term: string; children: string }) {
  if (!children) return null
  return (
    <div className="min-w-0">
      <dt className="text-sm text-quiet">{term}</dt>
      <dd className="figures whitespace-pre-line [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
