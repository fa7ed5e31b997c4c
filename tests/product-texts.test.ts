import { describe, expect, it } from 'vitest'
import { productTexts } from './product-texts.ts'

const textsOf = (source: string, isWords = false) => productTexts('a.tsx', source, isWords)

describe('productTexts', () => {
  it.each([
    ['<p>Your booking is <b>approved</b>.</p>', ['Your booking is approved.']],
    ['<p>Hello {person.name}, it costs {formatMoney(cents)}.</p>', ['Hello {name}, it costs {cents}.']],
    [`<p>It is {isOwn ? 'yours' : \`that of \${name}\`} now.</p>`, ['It is [yours / that of {name}] now.']],
    ['<p>Above<button type="submit">Save</button></p>', ['Above', 'Save']],
    ['<input aria-label="Day" placeholder="e.g. garden" className="Big Box" />', ['Day']],
    ["const a = { label: 'Day', key: 'Not this' }", ['Day']],
    ["<p>{isSaving ? 'Saving...' : 'Save'}</p>", ['Saving...', 'Save']],
    ['<p>\n  Change <a href="/x">your password</a>\n  .\n</p>', ['Change your password.']],
    ["const problem = 'Choose a day.'", ['Choose a day.']],
    [`const problem = \`Choose \${many} days.\``, ['Choose {many} days.']],
  ])('reads what people read: %s', (source, texts) => expect(textsOf(source)).toEqual(texts))

  it.each([
    "throw new Error('No such table')",
    "import x from 'Some Package'",
    'sql`Select all of it`',
    "if (state === 'Two words') go()",
    "const a = { className: 'Grid of columns' }",
    "const a = 'perPerson'",
    '<p>{count}</p>',
    "const a = { padding: '13px 22px' }",
  ])('leaves out what nobody reads: %s', (source) => expect(textsOf(source)).toEqual([]))

  it('reads every text of messages, even of one small word', () => {
    expect(textsOf("export const PER = { perPerson: 'per person' }", true)).toEqual(['per person'])
  })
})
