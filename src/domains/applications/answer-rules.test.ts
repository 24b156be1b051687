import { describe, expect, test } from 'vitest'
import { answersTo, applyingObstacle, changedQuestions } from './answer-rules.ts'
import { defaultInstructions, defaultQuestions, unansweredMessage } from './rules.ts'

const [why, when] = ['0199aaaa-0000-7000-8000-00000000000a', '0199bbbb-0000-7000-8000-00000000000b']
const questions = [
  { id: why, question: 'Why?', required: true },
  { id: when, question: 'When?', required: false },
]

describe('answers', () => {
  test('are kept beside the questions, in their order', () => {
    const given = [
      { questionId: when, answer: ' Now ' },
      { questionId: why, answer: 'Because' },
    ]
    expect(answersTo(questions, given)).toEqual({
      answers: [
        { questionId: why, question: 'Why?', required: true, orderIndex: 1, answer: 'Because' },
        { questionId: when, question: 'When?', required: false, orderIndex: 2, answer: 'Now' },
      ],
    })
  })

  test('may be left out where they are optional', () => {
    const { answers } = answersTo(questions, [{ questionId: why, answer: 'x' }]) as {
      answers: { answer: string }[]
    }
    expect(answers.map(({ answer }) => answer)).toEqual(['x', ''])
  })

  test('are taken to questions that are still those which were read', () => {
    const given = [{ questionId: why, answer: 'x', question: 'Why?' }]
    expect(answersTo(questions, given)).toHaveProperty('answers')
  })

  test.each([
    [[], unansweredMessage],
    [[{ questionId: when, answer: 'Now' }], unansweredMessage],
    [[{ questionId: why, answer: ' \n\u3000 ' }], unansweredMessage],
    [[{ questionId: why, answer: '\u200b \u2060\ufe0f' }], unansweredMessage],
    [
      [
        { questionId: why, answer: 'a' },
        { questionId: why, answer: 'b' },
      ],
      'Each question can be answered only once.',
    ],
    [
      [
        { questionId: why, answer: 'a' },
        { questionId: '0199cccc-0000-7000-8000-00000000000c', answer: 'b' },
      ],
      changedQuestions,
    ],
    [[{ questionId: why, answer: 'a', question: 'Why not?' }], changedQuestions],
    [
      [
        { questionId: why, answer: 'a', question: 'Why?' },
        { questionId: when, answer: '', question: 'Since when?' },
      ],
      changedQuestions,
    ],
  ])('%j are refused', (given, problem) => {
    expect(answersTo(questions, given)).toEqual({ problem })
  })
})

describe('who may apply', () => {
  const nobodyYet = { standing: 'signedIn', applicationRequired: true, latest: null } as const

  test.each(['pending', 'rejected', 'withdrawn', 'revoked', null] as const)(
    'somebody new, and again after %s',
    (latest) => {
      expect(applyingObstacle({ ...nobodyYet, latest })).toBeNull()
    },
  )

  test.each([
    [{ standing: 'instructor' }, 'This is your own course'],
    [{ standing: 'member' }, 'You are a member'],
    [{ applicationRequired: false }, 'takes no applications'],
    [{ latest: 'approved' }, 'was approved already'],
  ] as const)('not with %j', (change, words) => {
    expect(applyingObstacle({ ...nobodyYet, ...change })).toContain(words)
  })
})

test('what is said and asked is what the specification says', () => {
  expect(defaultQuestions).toEqual([
    { question: 'Why are you interested in this course?', required: true },
    { question: 'What do you hope to achieve by taking this course?', required: true },
    { question: 'Do you have any prior experience in this subject?', required: false },
  ])
  expect([defaultInstructions, unansweredMessage, changedQuestions]).toEqual([
    'Write anything here that will be displayed to the applicant.',
    'Please answer all required questions.',
    'The questions of this course have changed. Please look at them again.',
  ])
})
