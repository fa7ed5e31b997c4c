import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { REGISTRATION_INPUTS } from '../schema.ts'
import { RegistrationForm } from './registration-form.tsx'

const TODAY = '2026-11-28'

it('the registration form shows each declared input once, in order', () => {
  const html = renderToStaticMarkup(
    createElement(RegistrationForm, {
      present: null,
      version: null,
      newerVersion: null,
      today: TODAY,
      lastResult: undefined,
      pending: false,
      onTyped() {},
      onSubmit() {},
      onShowSaved() {},
    }),
  )
  const controls = [...html.matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)"/g)].map(([, name]) => name)
  expect(controls).toEqual(Object.keys(REGISTRATION_INPUTS))
})
