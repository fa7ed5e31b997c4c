import { describe, expect, it } from 'vitest'
import { misplacedFiles, routeProblem, wholeServices } from './feature-structure.ts'

describe('the check of file names and folders', () => {
  it.each([
    'features/bookings/rules.ts',
    'features/bookings/month-layout-rules.ts',
    'features/bookings/settlement-commands.server.ts',
    'features/bookings/histories.test.ts',
    'features/bookings/checkout/screens/payment-screen.tsx',
    'features/bookings/checkout/screens/payment-sections.tsx',
    'features/bookings/checkout/components/booking-form.tsx',
    'features/bookings/components/booking-form.css',
    'features/bookings/list/browser/use-way-back.ts',
    'features/bookings/checkout/browser/booking-draft.ts',
    'ui/button.tsx',
    'shared/money.test.ts',
    'shared/signed-cookie.server.ts',
    'features/payments/providers.server.ts',
    'routes/checkout/book.tsx',
    'routes/public-pages.ts',
    'adapters/anything/at-all.ts',
  ])('accepts %s', (path) => {
    expect(misplacedFiles([path])).toEqual([])
  })

  it.each([
    'features/loose.ts',
    'features/bookings/queries.ts',
    'features/bookings/booking-form.tsx',
    'features/bookings/settlement.server.ts',
    'features/bookings/hooks/use-way-back.ts',
    'features/bookings/components/booking-csv.ts',
    'features/bookings/components/use-way-back.ts',
    'features/bookings/components/parts/booking-form.tsx',
    'features/bookings/components/payment-screen.tsx',
    'features/bookings/components/BookingForm.tsx',
    'features/bookings/screens/payment.tsx',
    'features/bookings/browser/booking-form.tsx',
    'features/bookings/browser/storage.ts',
    'features/bookings/browser/use-way-back.server.ts',
    'features/bookings/components/index.tsx',
    'ui/form-utils.ts',
    'shared/money.tsx',
    'shell/parts/header.tsx',
    'routes/shop/book.tsx',
    'routes/checkout/parts/book.tsx',
  ])('reports %s', (path) => {
    expect(misplacedFiles([path])).toEqual([path])
  })

  it('reports the test of a component that no longer exists', () => {
    const test = 'features/bookings/components/booking-status.test.ts'
    expect(misplacedFiles([test])).toEqual([test])
    expect(misplacedFiles([test, 'features/bookings/components/booking-status.tsx'])).toEqual([])
  })

  it('reports the sections of a route that no longer exists', () => {
    const sections = 'routes/site/advice-support-sections.tsx'
    expect(misplacedFiles([sections])).toEqual([sections])
    expect(misplacedFiles([sections, 'routes/site/advice-support.tsx'])).toEqual([])
  })
})

describe('the check of route modules', () => {
  const path = 'routes/site/events.tsx'
  const lines = (count: number) => 'const line = 1\n'.repeat(count)
  const functionOf = (count: number) => `export default function Events() {\n${lines(count - 2)}}\n`

  it.each([
    ['a form', 'return <form method="get">', 'has a form or state'],
    ['a form of the router', 'return <fetcher.Form>', 'has a form or state'],
    ['state', 'const [open, setOpen] = useState(false)', 'has a form or state'],
    ['a page of more than 100 lines', functionOf(50) + lines(51), 'draws a page of more than 100 lines'],
  ])('refuses %s', (_, source, problem) => {
    expect(routeProblem(path, source)).toBe(problem)
  })

  it.each([
    ['a component that ends in Form', 'return <NewsletterForm />'],
    ['a page of 100 lines', functionOf(50) + lines(50)],
    ['a long action', lines(150) + functionOf(50)],
  ])('accepts %s', (_, source) => {
    expect(routeProblem(path, source)).toBeNull()
  })

  it('allows more lines in the sections of a route, but no state', () => {
    const sections = 'routes/site/events-sections.tsx'
    expect(routeProblem(sections, lines(300))).toBeNull()
    expect(routeProblem(sections, 'useState(0)')).toBe('has a form or state')
  })
})

describe('the check of the services that code takes', () => {
  const path = 'routes/checkout/book.tsx'

  it.each([
    ['a variable of all services', 'const services = context.get(servicesContext)'],
    ['a rest of the services', 'const { db, ...others } = args.context.get(servicesContext)'],
    ['a spread of the services', 'use({ ...context.get(servicesContext), now })'],
    ['the services as a property', 'use({ services: context.get(servicesContext) })'],
    ['the services as a result', 'const load = ({ context }) => context.get(servicesContext)'],
    ['a parameter of all services', 'function extend(services: Services, id: string) {}'],
    ['all services but one', "type Others = Omit<Services, 'db'>"],
  ])('reports %s', (_, source) => {
    expect(wholeServices(path, `\n${source}`)).toEqual([2])
  })

  it.each([
    ['the services by name', 'const { db, now: clock } = context.get(servicesContext)'],
    ['one service', 'const counts = await count(context.get(servicesContext).db)'],
    ['the argument of a function', 'const deps = bookingDeps(args.context.get(servicesContext))'],
    ['a parameter of some services', "function extend(services: Pick<Services, 'db' | 'now'>) {}"],
    ['the type of one service', "function extend(db: Services['db']) {}"],
  ])('accepts %s', (_, source) => {
    expect(wholeServices(path, source)).toEqual([])
  })

  it('leaves out the files that make the services, and tests', () => {
    const source = 'const all: Services = context.get(servicesContext)'
    for (const allowed of ['services/deps.server.ts', 'services.server.ts', 'routes/checkout/book.test.ts'])
      expect(wholeServices(allowed, source)).toEqual([])
  })
})
