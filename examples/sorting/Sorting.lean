import Sorting.Main
import Sorting.Search
import Sorting.Loops
import Sorting.Steps
