import { describe, expect, it } from 'vitest'
import { cleanAbn, cleanEmail, cleanPhone } from './contact.ts'

describe('a typed phone number', () => {
  it.each([
    ['0412\u00a0345\u00a0678', '0412 345 678'],
    ['+61 (0)412 345 678', '+61 412 345 678'],
    ['+61(0)412345678', '+61 412345678'],
    ['+61 (0) 3 9123 4567', '+61 3 9123 4567'],
    ['\u202a+61 412 345 678\u202c', '+61 412 345 678'],
    ['０４１２ ３４５ ６７８', '0412 345 678'],
    ['03–9123–4567', '03-9123-4567'],
    ['03.9123.4567', '03 9123 4567'],
    ['(03) 9123 4567', '(03) 9123 4567'],
    ['+61 (0)412 345 678 ext 2', '+61 412 345 678 ext 2'],
    ['------', '------'],
    ['', ''],
  ])('%j becomes %j', (typed, clean) => expect(cleanPhone(typed)).toBe(clean))
})

describe('a typed email address', () => {
  it.each([
    ['kim@müller.example', 'kim@xn--mller-kva.example'],
    ['kim@MÜLLER.example', 'kim@xn--mller-kva.example'],
    ['Kim@Example.com', 'Kim@Example.com'],
    ['kim@例え.テスト', 'kim@xn--r8jz45g.xn--zckzah'],
    ['no address', 'no address'],
    ['@müller.example', '@müller.example'],
    ['kim@mü ller.example', 'kim@mü ller.example'],
    ['kim@müller.example/x', 'kim@müller.example/x'],
    ['kim@mü%6cler.example', 'kim@mü%6cler.example'],
  ])('%j becomes %j', (typed, clean) => expect(cleanEmail(typed)).toBe(clean))
})

describe('a typed ABN', () => {
  it.each([
    ['51-824-753-556', '51824753556'],
    ['51 824 753 556', '51824753556'],
    ['51\u00a0824\u00a0753\u00a0556', '51824753556'],
    ['ABN: 51 824 753 556', '51824753556'],
    ['51.824.753.556', '51824753556'],
    ['51824753556x', '51824753556x'],
  ])('%j becomes %j', (typed, clean) => expect(cleanAbn(typed)).toBe(clean))
})
