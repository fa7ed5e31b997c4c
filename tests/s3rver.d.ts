/** The parts of the S3 server that the tests use. The package has no types. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string; configs?: never[] }[]
    })
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
