import { describe, expect, it } from 'vitest'
import { CSV_START, csvRows, csvText } from './csv.ts'

describe('a CSV file', () => {
  it('begins with a byte order mark and ends each row with CRLF', () => {
    expect(csvText([['a', 'b'], ['c']])).toBe(`${CSV_START}a,b\r\nc\r\n`)
  })

  it('quotes commas, quotes and line ends, and doubles quotes', () => {
    expect(csvRows([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe(
      '"a,b","say ""hi""","two\nlines",plain\r\n',
    )
  })

  it.each(['=1+1', '+61', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠x'])(
    'takes the formula from %j',
    (text) => {
      expect(
        csvRows([[text]])
          .replace(/^"/, '')
          .startsWith("'"),
      ).toBe(true)
    },
  )

  it('writes numbers as they are, below 0 too', () => {
    expect(csvRows([[-4_350, -395.46, 0, 145.5]])).toBe('-4350,-395.46,0,145.5\r\n')
  })

  it('leaves these characters alone inside a text', () => {
    expect(csvRows([['a=b', '1-2', 'kim@example.com', ' =1']])).toBe('a=b,1-2,kim@example.com, =1\r\n')
  })
})
