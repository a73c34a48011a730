"""Studies made of many decisions: levels, explanations, the conjecture, accuracy, fitting."""
