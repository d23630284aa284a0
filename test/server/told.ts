import { Story } from '../store/ledger/story.ts';

/** A hostile goal name and a hostile Lean message. */
export const hostileName = `a/b c%2F<script>alert("1")</script>'"&#x27;\u2028—∀`;
export const hostileError = `error: </script><img src=x onerror=alert(1)>\u0000\u001B[31m\n\${jndi:x} ' OR 1=1 --`;

/** An active run: one goal solved, one failed, one racing, one waiting for a lemma, one untried. */
export function underWay(run = 'run-2'): Story {
  return new Story(run)
    .begin()
    .add('solved')
    .add(hostileName, { statement: 'theorem x : <b>True</b>', topic: '<i>topic</i>', label: null })
    .add('racing', { topic: 'List', difficulty: 0.9, label: 'hard' })
    .add('waiting')
    .add('queued 10')
    .examine('solved')
    .slate('solved', 'micro/close', 'micro/library')
    .startAttempt('a1', 'solved')
    .judge('a1', 'solved')
    .finishAttempt('a1', 'solved', { outcome: 'solved', error: null, reward: 0.9, cache_hits: 2 })
    .closeGoal('solved')
    .examine(hostileName)
    .slate(hostileName, 'micro/close')
    .startAttempt('a2', hostileName)
    .finishAttempt('a2', hostileName, { error: hostileError })
    .closeGoal(hostileName, false)
    .examine('waiting')
    .openTicket('t1', { requester: 'waiting', goal: 'theorem h : </script>' })
    .openTicket('t2', { requester: 'someone' })
    .park('waiting', 't1')
    .examine('racing')
    .slate('racing', 'micro/close')
    .startAttempt('a3', 'racing')
    .tell('note', { level: 'warning', text: hostileError })
    .tell('control-requested', { action: 'pause', goal: null, value: null })
    .tell('control-obeyed', { request: 28, action: 'pause', goal: null, value: null, refused: null })
    .sample();
}

/** A run that has ended, before that one. */
export function ended(run = 'run-1'): Story {
  return new Story(run)
    .begin()
    .add('solved')
    .add('racing')
    .examine('racing')
    .slate('racing', 'micro/close')
    .startAttempt('b1', 'racing')
    .judge('b1', 'racing')
    .finishAttempt('b1', 'racing', { outcome: 'solved', error: null })
    .closeGoal('racing')
    .closeGoal('solved', false)
    .sample()
    .end();
}
