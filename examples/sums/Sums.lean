import Sums.Mixed

/-! Everything. -/
