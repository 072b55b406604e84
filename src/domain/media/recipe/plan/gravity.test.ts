import { expect, test } from 'bun:test'

import { analysisSample } from '../../../../ports/media/media-facts-store.contract.ts'
import { chooseFocus, faceFocus } from './gravity.ts'

const small = { left: 0.1, top: 0.1, width: 0.1, height: 0.1, score: 0.9 }
const large = { left: 0.7, top: 0.4, width: 0.2, height: 0.2, score: 0.8 }

test('faces that fit into the crop together are kept together', () => {
  const point = faceFocus([small, large], { width: 0.9, height: 0.9 })

  expect(point.x).toBeCloseTo(0.5)
  expect(point.y).toBeCloseTo(0.35)
})

test('of faces that do not fit together the most prominent is kept', () => {
  const point = faceFocus([small, large], { width: 0.5, height: 1 })

  expect(point.x).toBeCloseTo(0.8)
  expect(point.y).toBeCloseTo(0.5)
})

const noteFor = (facts: Parameters<typeof chooseFocus>[1]) => chooseFocus('face', facts).note

test('the owner comes first, then faces, then the eye, then the middle', () => {
  const focalPoint = { x: 0.9, y: 0.9 }

  expect(noteFor({ focalPoint, analysis: analysisSample })).toBe('focus-owner')
  expect(noteFor({ focalPoint: undefined, analysis: analysisSample })).toBe('focus-face')
  expect(noteFor({ focalPoint: undefined, analysis: { ...analysisSample, faces: [] } })).toBe(
    'focus-saliency',
  )
  expect(noteFor({ focalPoint: undefined, analysis: undefined })).toBe('focus-center')
})
