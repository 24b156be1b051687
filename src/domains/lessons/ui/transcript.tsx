import { TranscriptFailure, TranscriptLoading } from './transcript-states.tsx'
import type { TranscriptPanelProps } from './transcript-panel.tsx'
import { useLater } from '../../../ui/use-later.ts'

const load = () => import('./transcript-panel.tsx')

/** What is said in a video, to read along; fetched when it is opened. */
export function Transcript(props: TranscriptPanelProps) {
  const { value, failed, retry } = useLater(load)
  if (value) return <value.TranscriptPanel {...props} />
  return (
    <div className="grid h-96 rounded-card border bg-surface">
      {failed ? <TranscriptFailure onRetry={retry} /> : <TranscriptLoading />}
    </div>
  )
}
