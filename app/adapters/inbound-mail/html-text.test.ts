import { describe, expect, it } from 'vitest'
import { htmlToText } from './html-text.ts'

describe('htmlToText', () => {
  it.each([
    [
      'blocks',
      '<html><body><p>One</p><p>Two <b>and</b> more</p>Three<br>Four</body></html>',
      'One\nTwo and more\nThree\nFour',
    ],
    ['space', '<div>\n  A\tfew&nbsp;\n  words  </div>', 'A few words '],
    ['entities', '<p>5 &lt; 6 &amp;amp; &#8217;&#x1F389; &unknown; &#0;</p>', '5 < 6 &amp; ’🎉 &unknown; '],
    [
      'hidden elements',
      '<HEAD><TITLE>No</TITLE></HEAD><STYLE>p{}</STYLE><p>Yes</p><script>"</p>"</script>',
      'Yes',
    ],
    ['comments', 'A<!-- <p>No</p> -->B<!--[if mso]>x<![endif]-->C', 'ABC'],
    ['signs of the text', 'I <3 it, 4<5', 'I <3 it, 4<5'],
    ['an open tag', 'A<p class="', 'A\n'],
    ['an open comment', 'A<!--B', 'A'],
    [
      'quotations',
      '<p>Mine</p><blockquote>One<br><br>Two<blockquote>Three</blockquote></blockquote>Below',
      'Mine\n> One\n>\n> Two\n> Three\nBelow',
    ],
    ['too many ends of quotations', '</blockquote></blockquote><blockquote>One</blockquote>', '> One'],
  ])('reads %s', (_, html, text) => {
    expect(htmlToText(html).trimEnd()).toBe(text.trimEnd())
  })

  it.each(['<', '<p', '<!--', '</', '&', '&#', '<style>', '<blockquote>', '<br>', '<p>a', 'İ<B>'])(
    'makes at most 20,000 characters of %j a million times',
    (unit) => {
      expect(htmlToText(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(20_000)
    },
  )
})
