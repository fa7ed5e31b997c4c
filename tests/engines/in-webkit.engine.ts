import { walkIn } from './walks.ts'

walkIn('WebKit')
