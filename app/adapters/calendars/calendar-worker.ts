/** Runs in a thread of its own, started for one file and ended with it: a hostile file holds up nobody. */
import { parentPort, workerData } from 'node:worker_threads'
import { type CalendarText, readCalendarText } from './ical.ts'

parentPort?.postMessage(readCalendarText(workerData as CalendarText))
