import { followSearch } from '../../app/features/alerts/commands.server.ts'
import { addEntry, shareList } from '../../app/features/shortlists/commands.server.ts'
import { findList } from '../../app/features/shortlists/queries.server.ts'
import { linkTokenOf } from '../../app/features/shortlists/rules.ts'
import { castVote, describeList, nameVoter } from '../../app/features/shortlists/vote-commands.server.ts'
import { alertDeps } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'
import { addDays, wallTimeAt } from '../../app/shared/dates.ts'
import { newId } from '../../app/shared/ids.ts'
import { hashText } from '../../app/shared/signed.ts'

const CUSTOMER = 'customer@jubilee.example'
const ZONE = 'Australia/Melbourne'
const SATURDAY = 6
const DAYS_AHEAD = 200

/** What the demo's customer saves: a shared shortlist with hearts of her family, and a search that tells her of new photographers. */
export async function fillDemoPlans(services: Services): Promise<void> {
  const { db, config, liveUpdates, rateLimits, now } = services
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', CUSTOMER)
    .executeTakeFirstOrThrow()
  const deps = { db, liveUpdates, rateLimits, now, secret: config.secret }
  const isla = { userId, ownId: null, joinedHash: null, address: 'demo' }
  const saved = ['okafor-and-daughters', 'long-paddock-woolshed', 'riverbend-rooms', 'harbour-light-pavilion']
  for (const businessId of saved) await addEntry(deps, isla, businessId)
  const ahead = addDays(wallTimeAt(now(), ZONE).date, DAYS_AHEAD)
  const date = addDays(ahead, SATURDAY - new Date(`${ahead}T00:00:00Z`).getUTCDay())
  await describeList(deps, isla, { title: 'Isla and Ravi’s wedding', date, guests: 90 })
  await shareList(deps, isla)
  const list = await findList(db, isla)
  const linkHash = await hashText(await linkTokenOf(config.secret, list?.shareKey ?? ''))
  const hearts = [
    { name: 'Ravi', likes: ['harbour-light-pavilion', 'okafor-and-daughters'] },
    { name: 'Mum', likes: ['harbour-light-pavilion', 'long-paddock-woolshed'] },
    { name: 'Nani', likes: ['long-paddock-woolshed'] },
  ]
  for (const { name, likes } of hearts) {
    const voter = { linkHash, voterId: newId(), address: 'demo' }
    await nameVoter(deps, voter, name)
    for (const businessId of likes) await castVote(deps, voter, { businessId, wanted: true })
  }
  await followSearch(alertDeps(services), {
    address: `/photographers?date=${date}&near=1&place=Williamstown%2C+VIC`,
    email: CUSTOMER,
    network: 'demo',
    owner: { userId, verifiedEmail: CUSTOMER },
  })
}
