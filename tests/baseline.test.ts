import { describe, expect, it } from 'vitest'
import { BASELINE } from '../app/shared/baseline.ts'
import { findNewer, GUARDED, type NewerFeatures, problemsOf } from './baseline.ts'
import features from './newer-features.json' with { type: 'json' }

const newer: NewerFeatures = features
const problems = (files: Record<string, string>, guarded: Record<string, string> = {}) =>
  problemsOf(findNewer(files, newer), guarded, newer)

describe('the check of the oldest browsers', () => {
  it('uses the data of the stated baseline', () => {
    expect(newer.baseline).toEqual(BASELINE)
    expect(newer.members).toMatchObject({ canParse: expect.stringContaining('safari 17') })
  })

  it.each([
    ['a static function', { 'a.js': 'URL.canParse(t)' }, 'canParse'],
    ['a method', { 'a.js': 'e?.showPopover()' }, 'showPopover'],
    ['an interface', { 'a.js': 'new CloseWatcher' }, 'CloseWatcher'],
    ['an attribute', { 'a.js': 'jsx(`dialog`,{closedby:`any`})' }, 'closedby'],
    ['a selector', { 'a.css': '.a:popover-open{top:0}' }, ':popover-open'],
    ['a pseudo-element', { 'a.css': '.a{top:0}::details-content{top:0}' }, '::details-content'],
    ['an at-rule', { 'a.css': '@starting-style{.a{top:0}}' }, '@starting-style'],
  ])('finds %s that is newer', (_, files, name) => {
    expect(problems(files as Record<string, string>).join()).toContain(name.replace('::', ':'))
    expect(problems(files as Record<string, string>, { [name.replace('::', ':')]: 'a guard' })).toEqual([])
  })

  it('finds nothing in what the oldest browsers have', () => {
    expect(
      problems({
        'a.js': 'new URL(t);list.findLast(f);dialog.showModal();structuredClone(x)',
        'a.css': '@layer a{.a:has(.b){flex-direction:column;left:0}}@container (width>1px){.a{color:red}}',
      }),
    ).toEqual([])
  })

  it('reports a guard whose feature nothing uses any more', () => {
    expect(problems({}, { canParse: 'a guard' })).toEqual([expect.stringContaining('nothing uses it')])
  })

  it('states a reason for each guard', () => {
    expect(Object.values(GUARDED).filter((reason) => reason.length < 15)).toEqual([])
  })
})
