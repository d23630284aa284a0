import { expect, test } from 'vitest';
import { declaringWords } from '../../../src/lean/gate/declaring-words.ts';

const found = (text: string): string[] =>
  declaringWords(text).map(({ word, name, at }) => `${at.join(':')} ${word} ${name}`.trim());

test.for([
  ['names and places', 'theorem a.b : p\n  private def «x y» := 1', ['1:0 theorem a.b', '2:10 def «x y»']],
  ['columns are code points', '𝓕 ℝ def x', ['1:4 def x']],
  ['comments nest', '/- theorem /- def -/ theorem -/ def x', ['1:32 def x']],
  ['`/--/` does not end itself', '/--/ theorem x -/ def y', ['1:18 def y']],
  ['a line comment', '-- theorem\ndef x--def y', ['2:0 def x']],
  ['strings', String.raw`"theorem \" def" r#"def " def"# def x`, ['1:32 def x']],
  ['characters', String.raw`'"' def x '\'' def y x' '' def z`, ['1:4 def x', '1:15 def y', '1:27 def z']],
  ['quoted names', '`theorem ``def `(theorem x)', ['1:17 theorem x']],
  ['parts of names', 'x.theorem .axiom theorem_x default_instance 0xdef', []],
  [
    'attributes and deriving',
    '@[instance, class] attribute [local instance] x deriving instance A for B instance : A',
    ['1:74 instance'],
  ],
  ['classes', 'class inductive A class abbrev B', ['1:0 class inductive', '1:18 class abbrev']],
  ['a lemma has a name', '(kind := lemma) lemma x', ['1:16 lemma x']],
  ['a letter that Lean takes for none', 'λtheorem x', ['1:1 theorem x']],
  ['arrows and divisions begin no comment', 'x<--1 {x//-1} def y', ['1:14 def y']],
] as const)('%s', ([, text, words]) => {
  expect(found(text)).toEqual(words);
});
