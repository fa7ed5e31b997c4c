import { expect, it } from 'vitest'
import { addressesOfHosts } from './hosts.ts'

it.each([
  ['postgres://kim:secret@db.example:5433/jubilee', ['postgres://kim:secret@db.example:5433/jubilee']],
  ['postgresql://localhost/jubilee?sslmode=require', ['postgresql://localhost/jubilee?sslmode=require']],
  [
    'postgres://kim:p%40ss@one:5432,two:5433/jubilee?target_session_attrs=read-write&sslmode=require',
    [
      'postgres://kim:p%40ss@one:5432/jubilee?sslmode=require',
      'postgres://kim:p%40ss@two:5433/jubilee?sslmode=require',
    ],
  ],
  [
    'postgres://one,[::1]:5433/x?target_session_attrs=primary',
    ['postgres://one/x', 'postgres://[::1]:5433/x'],
  ],
  // The folder of a Unix socket is in the query.
  ['postgres:///jubilee?host=/var/run/postgresql', ['postgres:///jubilee?host=%2Fvar%2Frun%2Fpostgresql']],
])('reads the hosts of %s', (address, expected) => {
  expect(addressesOfHosts(address)).toEqual(expected)
})

it.each([
  'mysql://localhost/jubilee',
  'localhost:5432',
  'postgres://one:5432,two:port/jubilee',
  'postgres://one,,two/jubilee',
  // Reads from a standby would return outdated data.
  'postgres://one,two/jubilee?target_session_attrs=any',
])('refuses %s', (address) => {
  expect(addressesOfHosts(address)).toBeNull()
})
