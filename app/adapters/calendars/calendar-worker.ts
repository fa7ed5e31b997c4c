/** Parses one file in its own worker thread, so that a hostile file can't block requests. */
import { parentPort } from 'node:worker_threads'
import { type CalendarText, readCalendarText } from './ical.ts'

parentPort?.on('message', (input: CalendarText) => parentPort?.postMessage(readCalendarText(input)))
