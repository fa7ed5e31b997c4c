/** Parses one file in its own worker thread, so that a hostile file can't block requests. */
import { parentPort, workerData } from 'node:worker_threads'
import { type CalendarText, readCalendarText } from './ical.ts'

parentPort?.postMessage(readCalendarText(workerData as CalendarText))
