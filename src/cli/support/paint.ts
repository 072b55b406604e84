import { styleText } from 'node:util'

import type { Terminal } from './command.ts'

type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold'

/**
 * In a colour where a person reads it: on a terminal that `NO_COLOR` (https://no-color.org) and `TERM=dumb`
 * leave alone.
 */
export const paint = (
  text: string,
  colour: Colour,
  { out, environment }: Pick<Terminal, 'out' | 'environment'>,
): string =>
  isColourful(out, environment) ? styleText(colour, text, { validateStream: false }) : text

const isColourful = (out: Terminal['out'], environment: Terminal['environment']): boolean =>
  out.isTTY && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb'
