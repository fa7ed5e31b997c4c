import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { type Act, subject } from './act-schema.ts'
import { NOTE_HINT } from './task-messages.ts'
import { MAX_NOTE_LENGTH } from './task-rules.ts'

const WORKS = { permission: 'work-tasks', asksAgain: false } as const

/** Acts about the list 'Do first'. They say who works on a task, and change nothing about the task itself. */
export const TASK_ACTS = {
  'take-task': {
    ...WORKS,
    // The account that had it when the page was made; '' for none.
    input: { id: subject, seen: z.string().max(100).default('') },
    button: 'I have it',
    pending: 'Taking...',
    look: 'quiet',
    done: 'You have it',
    logs: { 'take-task': 'Took a task' },
  },
  'give-back-task': {
    ...WORKS,
    input: { id: subject },
    button: 'Give it back',
    pending: 'Giving back...',
    look: 'quiet',
    done: 'Given back',
    logs: { 'give-back-task': 'Gave a task back' },
  },
  'note-task': {
    ...WORKS,
    // The note that the page showed.
    input: {
      id: subject,
      seen: z.string().max(MAX_NOTE_LENGTH).default(''),
      note: plainText({ max: MAX_NOTE_LENGTH }),
    },
    fields: { note: { label: 'Note', hint: NOTE_HINT, maxLength: MAX_NOTE_LENGTH, isOptional: true } },
    button: 'Note',
    pending: 'Saving...',
    done: 'Note saved',
    logs: { 'note-task': 'Wrote a note on a task' },
  },
} as const satisfies Record<string, Act>
