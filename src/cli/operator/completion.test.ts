import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'

import { fish, have, zsh } from '../../../test/support/needs.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completion-scripts.ts'
import { allCommands } from '../commands.ts'

const shell = (name: string, options: readonly string[], input: string) => {
  const { status, stdout, stderr } = spawnSync(name, [...options], { input, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

const completed = (...words: readonly string[]): string[] =>
  shell(
    'bash',
    [],
    `${bashCompletion(allCommands())}
# The program, as far as completion asks it.
sedge() { case "$*" in 'stored-names --zones ac') echo 'acme --zones' ;; 'stored-names ac') echo acme/ ;; esac; }
COMP_WORDS=(sedge ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_sedge; printf '%s\\n' "\${COMPREPLY[@]}"`,
  )
    .trim()
    .split('\n')

test('bash completes commands, actions and options', () => {
  expect(completed('sy')).toEqual(['sync'])
  expect(completed('zones', 'cr')).toEqual(['create'])
  expect(completed('webhooks', 're')).toEqual(['redeliver'])
  expect(completed('sync', '--d')).toEqual(['--delete', '--dry-run'])
  expect(completed('help', 'insi')).toEqual(['insights'])
  expect(completed('usage', '--d')).toEqual(['--days', '--daily'])
})

test('bash completes names of files after that', () => {
  expect(completed('put', 'packag')).toEqual(expect.arrayContaining(['package.json']))
})

test('bash completes zones and stored paths as the service tells them', () => {
  expect(completed('zones', 'show', 'ac')).toEqual(['acme --zones'])
  expect(completed('ls', 'ac')).toEqual(['acme/'])
  expect(completed('logs', '--zone', 'ac')).toEqual(['acme --zones'])
  expect(completed('usage', 'ac')).toEqual(['acme --zones'])
  expect(completed('limits', 'ac')).toEqual(['acme --zones'])
  expect(completed('token', 'list', 'no-such-file')).toEqual([''])
})

test.skipIf(!have('completion in zsh', zsh))('zsh takes its script', () => {
  const script = `autoload -Uz compinit; compinit -u -D\n${zshCompletion(allCommands())}`

  expect(shell('zsh', ['-f'], `${script}\nprint $_comps[sedge]`)).toBe('_sedge\n')
})

test.skipIf(!have('completion in fish', fish))(
  'fish completes commands, actions and options',
  () => {
    const complete = (line: string) =>
      shell(
        'fish',
        ['--no-config'],
        `${fishCompletion(allCommands())}\nfunction sedge; end\ncomplete -C '${line}'`,
      )

    expect(complete('sedge sy')).toStartWith('sync\t')
    expect(complete('sedge zones cr')).toBe('create\n')
    expect(complete('sedge sync --de')).toBe('--delete\n')
  },
)

test('every usage begins with the command, tells its exit codes and fits a terminal', () => {
  for (const { name, usage, isInternal } of allCommands()) {
    if (isInternal) continue
    expect(usage).toStartWith(`sedge ${name}`)
    expect({ name, tells: usage.includes('Exit codes:') }).toEqual({ name, tells: true })
    expect({ name, long: usage.split('\n').filter((line) => line.length > 100) }).toEqual({
      name,
      long: [],
    })
  }
})
