import { describe, expect, it } from 'vitest'
import { longFunctions } from './long-functions.ts'

describe('the check of long functions', () => {
  const lines = (count: number, line = 'work()') => `${line}\n`.repeat(count)

  it('reports a function of more than 100 lines, signature and last brace included', () => {
    expect(longFunctions('app/a.ts', `\nfunction a() {\n${lines(98)}}\n`)).toEqual([])
    expect(longFunctions('app/a.ts', `\nfunction a() {\n${lines(99)}}\n`)).toEqual([
      { line: 2, name: 'a', lines: 101 },
    ])
  })

  it('counts a component’s markup, blank lines and comments', () => {
    const source = `export function Page() {\nreturn (<div>\n${lines(60, '<p>Text</p>')}${lines(40, '')}</div>)\n}\n`
    expect(longFunctions('app/page.tsx', source)).toEqual([{ line: 1, name: 'Page', lines: 104 }])
  })

  it.each([
    ['an arrow function', `const a = () => {\n${lines(100)}}`, 'a'],
    ['a method', `const a = { b() {\n${lines(100)}} }`, 'b'],
    ['an accessor', `class A { get b() {\n${lines(100)}return 1 } }`, 'b'],
    ['a callback', `run(async () => {\n${lines(100)}})`, 'a function without a name'],
    ['a function in another', `function a() { return () => {\n${lines(100)}} }`, 'a'],
  ])('reports %s', (_, source, name) => {
    expect(longFunctions('app/a.ts', source)[0]?.name).toBe(name)
  })

  it('leaves long lists, types and files alone', () => {
    const source = `export const list = [\n${lines(300, '1,')}]\ntype A = {\n${lines(200, 'a: 1')}}\n${lines(300)}`
    expect(longFunctions('app/a.ts', source)).toEqual([])
  })
})
