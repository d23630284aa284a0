/** Lists with user-defined functions that have no lemmas. */
export const lists = `def app : List Nat → List Nat → List Nat
  | [], ys => ys
  | x :: xs, ys => x :: app xs ys
def rev : List Nat → List Nat
  | [] => []
  | x :: xs => app (rev xs) [x]
def len : List Nat → Nat
  | [] => 0
  | _ :: xs => len xs + 1
`;
