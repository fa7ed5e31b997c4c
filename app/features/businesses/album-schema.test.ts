import { expect, it } from 'vitest'
import type { AlbumStep } from './album-rules.ts'
import { albumStepSchema } from './album-schema.ts'

const steps = (url: string, after: string | null = null): AlbumStep[] => [
  { kind: 'add', url, caption: '', alt: '' },
  { kind: 'add', url: '/files/a', caption: '', alt: '', after: after ?? url },
  { kind: 'move', url, after },
  { kind: 'move', url: '/files/a', after: after ?? url },
  { kind: 'describe', url, caption: 'Tent' },
  { kind: 'remove', url },
]
const accepts = (step: AlbumStep) => albumStepSchema.safeParse(step).success

it.each(['/files/businessImages/Tide_1700000000000_0.jpg', '/illustrations/venue-marquee/x'])(
  'a step names a picture by its path: %s',
  (url) => expect(steps(url).map(accepts)).toEqual([true, true, true, true, true, true]),
)

it.each([
  '/files/a\u0000',
  '/files/\ud800',
  '',
  'files/a',
  'https://example.com/a',
  '/files/a b',
  `/${'a'.repeat(300)}`,
])('and by nothing that no picture can have: %j', (url) =>
  expect(steps(url).map(accepts)).toEqual([false, false, false, false, false, false]),
)
