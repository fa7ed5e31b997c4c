import { walkIn } from './walks.ts'

walkIn('Firefox')
