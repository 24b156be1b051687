// The text of a course file is parsed and checked here, apart from the thread that answers people. Built by itself
// (vite.config.ts), so that it needs no other file.
import { parentPort, workerData } from 'node:worker_threads'
import { speakToPeople } from '../../server/input-messages.ts'
import { setBrand } from '../site/brand.ts'
import { checkCourseText } from './check-course-file.ts'
import type { CourseCheck, CourseCheckOutcome } from './check-apart.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

const { bytes, brand } = workerData as CourseCheck

function outcome(): CourseCheckOutcome {
  try {
    return { checked: checkCourseText(bytes) }
  } catch (error) {
    if (error instanceof UnusableCourseFile) return { problem: error.message }
    throw error
  }
}

setBrand(brand)
speakToPeople()
// A thread of Node, which has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(outcome())
