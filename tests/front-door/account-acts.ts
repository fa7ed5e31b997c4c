import { type Act, isDone, outcomeOf } from './acts.ts'
import { type Hands, signIn, signUp } from './world.ts'

async function rename(hands: Hands): Promise<string> {
  const { person, random } = hands
  const displayName = `${person.kind} ${random.whole(1, 999)}`
  return outcomeOf(await hands.press('/my-profile', 'profile', { displayName, phone: '0400 000 000' }))
}

async function comeAndGo(hands: Hands): Promise<string> {
  await hands.post('/logout')
  return outcomeOf(await signIn(hands))
}

/** Closes the account for a while: the next login opens it again. */
async function pause(hands: Hands): Promise<string> {
  const closed = await hands.press('/confirm-deactivation', 'Deactivate my account')
  if (!isDone(closed)) return outcomeOf(closed)
  hands.world.reached.add('an account was deactivated')
  await signIn(hands)
  return `again: ${outcomeOf(await hands.post('/reactivate'))}`
}

/** Deletes the account for good. The person comes back as somebody new, with the links that they have got by mail. */
async function remove(hands: Hands): Promise<string> {
  const { person, world } = hands
  await signIn(hands)
  const deleted = await hands.press('/confirm-deletion', 'delete')
  if (deleted?.status !== 302) return outcomeOf(deleted)
  world.reached.add('an account was deleted')
  // The messages of their conversations are deleted with the account.
  world.told.messages.clear()
  person.client.cookies.clear()
  person.email = `again-${person.email}`
  return `new: ${outcomeOf(await signUp(hands))}`
}

const VISITED = [
  '/',
  '/venues',
  '/my-bookings',
  '/notifications',
  '/messages',
  '/userdashboard/user',
  '/shortlist',
]

async function lookAround(hands: Hands): Promise<string> {
  return outcomeOf(await hands.get(hands.random.pick(VISITED) ?? '/'))
}

/** The acts of people on their accounts. */
export const ACCOUNT_ACTS: readonly Act[] = [
  { name: 'rename the account', by: ['customer', 'vendor'], weight: 1, perform: rename },
  { name: 'sign out and in', by: ['customer', 'vendor', 'operator'], weight: 1, perform: comeAndGo },
  { name: 'deactivate the account', by: ['customer', 'vendor'], weight: 0.5, perform: pause },
  { name: 'delete the account', by: ['customer', 'vendor'], weight: 0.4, perform: remove },
  { name: 'look around', by: ['customer', 'guest', 'vendor'], weight: 1, perform: lookAround },
]
