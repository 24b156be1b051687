// Pure decisions about applications: what is asked, and how much of it.

export const questionLimits = { questions: 20, question: 300, instructions: 2000 } as const

export const defaultInstructions = 'Write anything here that will be displayed to the applicant.'

/** What a course asks as long as its creator has not written anything else (spec 1, section 9). */
export const defaultQuestions = [
  { question: 'Why are you interested in this course?', required: true },
  { question: 'What do you hope to achieve by taking this course?', required: true },
  { question: 'Do you have any prior experience in this subject?', required: false },
]
