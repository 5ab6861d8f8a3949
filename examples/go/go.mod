module example.org/operator

go 1.19
