import Sorting.Main
import Sorting.Search
