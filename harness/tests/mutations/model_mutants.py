"""Deliberate faults of the models: a model that explores too little, or what the platform never does.

As in mutants.py, with files below models/ and tests of test_models. The comparison with Node cannot stand in for these tests: it only asks
whether what Node logs is among what is explored, and Node does not show everything. Only .cpp files can be mutated: a header is compiled
into too many objects.
"""
from dataclasses import dataclass

from mutants import Mutant


@dataclass(frozen=True)
class ModelMutant(Mutant):
    program: str = 'test_models'
    folder: str = 'models'
    listed_in: str = 'model_mutants.py'

    @property
    def program_path(self):
        return f'models/{self.program}'


def model(name, *rest):
    return ModelMutant(f'model.{name}', *rest)


MODEL_MUTANTS = [
    # --- the thread pool
    model('pool_has_no_limit', 'event_loop.cpp', 'if (free == 0) return;', '', '*ThreadPool*'),
    model('pool_never_starts_the_next', 'event_loop.cpp', 'if (io.uses_pool) start_waiting_pool_work();', '', '*ThreadPool*'),
    # --- I/O
    model('only_the_oldest_completion_is_offered', 'event_loop.cpp',
          'if (!io_[i].due && !io_[i].waits_for_pool) completions.push_back(i);',
          'if (!io_[i].due && !io_[i].waits_for_pool && completions.empty()) completions.push_back(i);', 'Io.*'),
]
