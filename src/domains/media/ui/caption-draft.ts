// The captions of one language while somebody edits them: every change as a pure step.
import { cueProblem, cueTime, secondsOfCueTime } from '../caption-format.ts'

export type Cue = { start: number; end: number; text: string }

/** Times as they are typed; `key` names a cue on this page and never changes. */
export type CueDraft = { key: number; start: string; end: string; text: string }

export type CaptionDraft = { cues: CueDraft[]; nextKey: number; isChanged: boolean }

/** Seconds that a new cue lasts. */
const usualLength = 2

export function captionDraftOf(cues: Cue[]): CaptionDraft {
  const drafts = cues.map(({ start, end, text }, key) => ({
    key,
    start: cueTime(start),
    end: cueTime(end),
    text,
  }))
  return { cues: drafts, nextKey: cues.length, isChanged: false }
}

export type CaptionStep =
  | { type: 'changed'; key: number; change: Partial<Omit<CueDraft, 'key'>> }
  /** After the cue at this index; -1 for the first place. */
  | { type: 'added'; after: number }
  | { type: 'removed'; key: number }

export function captionStep(draft: CaptionDraft, step: CaptionStep): CaptionDraft {
  const { cues, nextKey } = draft
  switch (step.type) {
    case 'changed':
      return {
        nextKey,
        cues: cues.map((cue) => (cue.key === step.key ? { ...cue, ...step.change } : cue)),
        isChanged: true,
      }
    case 'added': {
      const start = secondsOfCueTime(cues[step.after]?.end ?? '') ?? 0
      const next = secondsOfCueTime(cues[step.after + 1]?.start ?? '')
      const end = next !== null && next > start ? Math.min(next, start + usualLength) : null
      const cue = {
        key: nextKey,
        start: cueTime(start),
        end: cueTime(end ?? start + usualLength),
        text: '',
      }
      return {
        nextKey: nextKey + 1,
        cues: cues.toSpliced(step.after + 1, 0, cue),
        isChanged: true,
      }
    }
    case 'removed':
      return { nextKey, cues: cues.filter(({ key }) => key !== step.key), isChanged: true }
  }
}

/** What the call takes; of times that are none, NaN. */
export const cuesOf = (draft: CaptionDraft): Cue[] => draft.cues.map(cueOf)

const cueOf = ({ start, end, text }: CueDraft): Cue => ({
  start: secondsOfCueTime(start) ?? Number.NaN,
  end: secondsOfCueTime(end) ?? Number.NaN,
  text: text.trim(),
})

/** What is wrong with each cue, by its key, in words. */
export function problemsOf(draft: CaptionDraft): Map<number, string> {
  const problems = new Map<number, string>()
  let before: Cue | undefined
  for (const one of draft.cues) {
    const cue = cueOf(one)
    const problem =
      Number.isNaN(cue.start) || Number.isNaN(cue.end)
        ? 'Times have to look like 00:01:02.500.'
        : cueProblem(cue, before)
    if (problem) problems.set(one.key, problem.charAt(0).toUpperCase() + problem.slice(1))
    if (!Number.isNaN(cue.start)) before = cue
  }
  return problems
}
