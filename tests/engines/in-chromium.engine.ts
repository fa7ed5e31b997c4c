import { walkIn } from './walks.ts'

walkIn('Chromium')
