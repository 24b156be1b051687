import { makeChapter } from './chapters/make.ts'
import { planChapter } from './chapters/plan.ts'
import { shareChapter } from './chapters/share.ts'
import type { FlagshipCourse } from './course-shape.ts'
import { b, doc, h2, p, ul } from './rich-text.ts'

/** The course that everybody is enrolled in at sign-up (spec 1, section 1). */
export const flagshipCourse: FlagshipCourse = {
  title: 'Thunder Bootcamp',
  shortDescription:
    'Make a short course and publish it: choose what to teach, outline it on one page, record it ' +
    'with the phone you have, and bring in your first ten learners.',
  descriptionDoc: doc(
    p(
      'You know how to do something that other people keep asking you about. This course takes ' +
        'you from that to a published course with its own page and its own first learners.',
    ),
    p(
      b('It is for you if'),
      ' you have never made a course, or have one that has been nearly finished for a year. You ' +
        'need something you can do well, a phone, and two or three evenings.',
    ),
    h2('When you finish'),
    ul([
      'You have one sentence that says what your course does for whom.',
      'You have an outline on one page, and the nerve to cut a third of it.',
      'Your lessons are written, recorded, uploaded and checked by somebody who is not you.',
      'Your course is published, and you have written to ten people by name.',
    ]),
    h2('What it leaves out'),
    p(
      'Studio lights, funnels and growth tricks. You can meet those later. A first course needs a ' +
        'clear promise, short lessons and a few people who finish it.',
    ),
  ),
  category: 'Business',
  level: 'Beginner',
  chapters: [planChapter, makeChapter, shareChapter],
}
